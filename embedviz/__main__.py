"""`python -m embedviz` is the command `embedviz`."""

from embedviz.command.main import main

if __name__ == "__main__":
    main()
