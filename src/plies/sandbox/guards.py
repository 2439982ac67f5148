"""The guards by name, and what each one ensures: that an agent ..."""

GUARDS = {
    "user": "runs as nobody in particular, without privileges",
    "limits": "is limited by the kernel in memory, files and processes",
    "processes": "reaches no other processes and leaves none behind",
    "network": "has no network",
    "mounts": "sees a read-only file system and a small private folder",
    "proc": "sees no other processes",
    "landlock": "reads only its own files and those of the system",
    "seccomp": "opens no socket, traces no process and hides no memory",
    "memory": "is held to its memory, that of the kernel included",
    "pids": "starts no more processes and threads than it may",
    "cpu": "has one share of the processors, however many processes it has",
    "freezer": "stands still while it is not its turn",
    "watch": "is watched for the memory and the processes it uses",
}
