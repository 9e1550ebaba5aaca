"""The tests, in the rooms of what they test."""

import os

# The workers share the cores. Unless told otherwise before they start, OpenMP's threads wait for each other by counting
# as fast as they can, which on a busy machine takes ten times what they compute. The numbers stay the same.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
