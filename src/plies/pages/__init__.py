"""What reports are made of: charts and a page, all in one file that needs no other."""
