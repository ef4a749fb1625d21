"""What compares the kernel with the law: boards, games, bites; for tests and tools."""
