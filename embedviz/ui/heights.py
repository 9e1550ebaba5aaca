"""Heights of figures: they fill what the window leaves under the controls, within reason."""

MAIN = "clamp(20rem, calc(100vh - 21rem), 40rem)"
BESIDE = "clamp(17.5rem, calc(100vh - 23.5rem), 37.5rem)"  # MAIN less the row of controls above the figure
DISTANCES = "26rem"
