"""What an instruction writes, and what each written byte is made from, lane by lane."""
