"""The process under debug: launch, output, end."""
