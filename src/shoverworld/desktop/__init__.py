"""The window: screens, widgets and the view of a board. It asks rooms to draw and to understand hands; it knows no rules."""
