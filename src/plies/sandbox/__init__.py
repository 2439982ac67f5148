"""Programs that nobody trusts: started, limited, watched and ended from outside.

    confined              `Confined`, the judge's side: lines in and out, deadlines, the end
    program, readable     from a text to a command, and the files that it may read
    limits, ending        how much a program may use, and how it ended in words
    pipes, family         its streams, and the processes that it has started
    stopping              how all of them stand still while it is not their turn
    guards, survey        the guards by name, and which of them this machine offers
    launch                in a process of its own: puts the guards up and becomes the program
    cgroup, membership    control groups: the judge's side, the launcher's side
    namespaces, privileges, landlock, seccomp, kernel     how

The launcher runs once for every game and player, so nothing is imported here.
"""
