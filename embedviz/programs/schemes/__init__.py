"""Programs about position schemes."""
