"""How much of a machine a program may use."""

from dataclasses import dataclass

# Programs reserve memory that they never use, such as the stacks of threads.
SPARE_MB = 256
# A page of tables maps 512 pages: in this much address space they take twice the memory at most.
# Runtimes reserve much: Java a quarter of the machine's memory, .NET 256 GB.
ADDRESSES_PER_BYTE = 1024
TASKS_OF_A_PROCESS = 8  # threads count for the kernel's limit


@dataclass(frozen=True)
class Limits:
    """For all processes of a program together; `cpu_seconds` and `open_files` for each."""

    memory_mb: int = 512
    processes: int = 16
    file_mb: int = 16
    open_files: int = 64
    cpu_seconds: int = 3600
    line_bytes: int = 1 << 16

    def for_kernel(self) -> dict[str, int]:
        """What the kernel holds a program to: a group all of it, else each of its processes."""
        return {
            "memory_bytes": self.memory_mb << 20,
            "address_bytes": (self.memory_mb << 20) * ADDRESSES_PER_BYTE,
            "data_bytes": (self.memory_mb + SPARE_MB) << 20,
            "file_bytes": self.file_mb << 20,
            "open_files": self.open_files,
            "cpu_seconds": self.cpu_seconds,
            "tasks": self.processes * TASKS_OF_A_PROCESS,
        }
