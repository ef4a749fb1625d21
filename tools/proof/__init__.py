"""What compares the kernel with the law: boards, games, bites, certificates; used by tests and tools."""
