"""Pictures of position schemes: their scores, their biases, what they reach, and how models use them."""
