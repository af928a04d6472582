"""What many work-items compute: all lanes at once, and what a group stores and loads."""
