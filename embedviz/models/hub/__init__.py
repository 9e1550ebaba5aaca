"""The Hub: what it is asked, how often, and what its refusals mean."""
