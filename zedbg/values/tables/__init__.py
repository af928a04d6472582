"""Values of many work-items: as tables, summaries, pictures and files."""
