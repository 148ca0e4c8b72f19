"""The version of the package. The build reads this file without importing it."""

__version__ = "0.1.0"
