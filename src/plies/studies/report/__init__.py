"""What a study found: as a page, as data, and as a text for the documentation."""
