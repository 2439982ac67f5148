"""What turns rules into machine code: the compiler, its cache on disk, and their names."""
