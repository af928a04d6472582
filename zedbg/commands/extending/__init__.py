"""What plugins are made of, where they are found, and what keeps them from doing harm."""
