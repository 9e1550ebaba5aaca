"""Heights of figures: they fill what the window leaves under the controls, within reason."""

MAIN = "clamp(20rem, calc(100vh - 22.5rem), 40rem)"
BESIDE = "clamp(17.5rem, calc(100vh - 25rem), 37.5rem)"  # MAIN less the row of controls above the figure
