"""Playing: sessions, who sits in them, their agents and their memory."""
