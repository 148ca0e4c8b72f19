"""Key and Door: find the key, open the door, leave the maze."""
