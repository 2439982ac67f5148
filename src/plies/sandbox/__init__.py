"""Programs that nobody trusts: started, limited, watched and ended from outside.

    confined              `Confined`, the judge's side: lines in and out, deadlines, the end
    program, readable     from a text to a command, and the files that it may read
    limits, ending        how much a program may use, and how it ended in words
    pipes, family         its streams, and the processes that it has started
    guards                the guards by name, and what each one ensures
    launch                in a process of its own: puts the guards up and becomes the program
    namespaces, privileges, landlock, seccomp, kernel     how

The launcher runs once for every game and player, so nothing is imported here.
"""
