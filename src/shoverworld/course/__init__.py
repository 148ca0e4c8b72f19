"""The course's own API (`environment`) and its scripts (`scripts`). `shover course DIR` writes files that use them."""
