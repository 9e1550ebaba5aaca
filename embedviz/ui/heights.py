"""Heights of figures: they fill what the window leaves under the controls, within reason."""

MAIN = "clamp(18rem, calc(100vh - 23.6rem), 40rem)"
BESIDE = "clamp(15.5rem, calc(100vh - 26.1rem), 37.5rem)"  # MAIN less the row of controls above the figure
DISTANCES = "26rem"
