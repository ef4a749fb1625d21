"""Pictures of boards, made from rows: they stand below everything that has a picture."""
