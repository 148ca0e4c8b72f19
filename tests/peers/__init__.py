"""Other people's games, installed for real and compared with ours."""
