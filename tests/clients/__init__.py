"""Other people's programs on the simulated GPU; see __main__."""
