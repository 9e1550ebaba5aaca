"""Work that goes on beside a page's script: queues of jobs, processes and their messages, and who has the turn."""
