"""The project of every language."""

from __future__ import annotations

from tests.drift.matrix.c import C
from tests.drift.matrix.cpp import CPP
from tests.drift.matrix.csharp import CSHARP
from tests.drift.matrix.go import GO
from tests.drift.matrix.java import JAVA
from tests.drift.matrix.javascript import JAVASCRIPT, TSX
from tests.drift.matrix.kotlin import KOTLIN
from tests.drift.matrix.php import PHP
from tests.drift.matrix.python import PYTHON
from tests.drift.matrix.ruby import RUBY
from tests.drift.matrix.rust import RUST
from tests.drift.matrix.shell import SHELL
from tests.drift.matrix.swift import SWIFT
from tests.drift.matrix.typescript import TYPESCRIPT

FIRST = (PYTHON, TYPESCRIPT, TSX, JAVASCRIPT, GO, RUST, JAVA, SWIFT)
SECOND = (C, CPP, CSHARP, RUBY, PHP, KOTLIN, SHELL)
PROJECTS = {one.name: one for one in (*FIRST, *SECOND)}
