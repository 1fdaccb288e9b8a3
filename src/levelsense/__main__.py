"""Where the program starts, as `levelsense` and as `python -m levelsense`."""

import os
import signal

_INTERRUPTED = 130


def main() -> None:
    """Loads the command line and runs it; Ctrl-C while it is being loaded ends the program, too."""
    signal.signal(signal.SIGINT, _leave)
    from levelsense.cli import main as run_command

    signal.signal(signal.SIGINT, signal.default_int_handler)
    run_command()


def _leave(*_: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
