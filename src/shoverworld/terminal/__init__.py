"""What people see in a terminal: boards in colour, the demo, tables and progress."""
