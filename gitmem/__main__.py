"""`python -m gitmem`, for when the console script is not on the path."""

from __future__ import annotations

import sys

from gitmem._main import main

if __name__ == "__main__":
    sys.exit(main())
