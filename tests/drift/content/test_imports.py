"""What each language writes to import something, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.drift.content.imports import imports_of


def told(path: str, text: str) -> list[tuple[int, str]]:
    """Line and parts of each import; a path of the tree begins with a slash."""
    found = imports_of(path, text.encode())
    return [(one.line, ("/" if one.is_path else "") + "/".join(one.parts)) for one in found]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("app/core/a.py", "import app.ui as u\n", [(1, "app/ui")]),
        ("app/core/a.py", "x = 1\nfrom app.ui import x, y\n", [(2, "app/ui/x"), (2, "app/ui/y")]),
        ("app/core/a.py", "from ..ui import z\n", [(1, "/app/ui/z")]),
        ("app/core/a.py", "from .. import ui\n", [(1, "/app/ui")]),
        ("app/core/a.py", "from app.ui import *\n", [(1, "app/ui")]),
        ("app/core/a.py", "import importlib\nimportlib.import_module('app.ui')\n", [(1, "importlib"), (2, "app/ui")]),
        ("app/core/a.py", "from ..ui import z\nprint 'python 2'\n", [(1, "/app/ui/z")]),
        ("app/core/a.py", '"""import app.ui"""\n# import app.ui\nx = "import app.ui"\n', []),
        ("src/core/a.ts", "import x from '../ui/x';\n", [(1, "/src/ui/x")]),
        ("src/core/a.ts", 'import {\n  a,\n  b,\n} from "@/ui";\n', [(1, "@/ui")]),
        ("src/core/a.js", "const c = require('../ui');\n", [(1, "/src/ui")]),
        ("src/core/a.tsx", "const p = await import('app/ui/x');\n", [(1, "app/ui/x")]),
        ("src/core/a.ts", "const a = 1\nexport * from './z'\nimport 'side'\n", [(2, "/src/core/z"), (3, "side")]),
        ("src/core/a.ts", "import type { T } from 'react';\n", [(1, "react")]),
        ("src/core/a.ts", "// import x from 'react'\nconst s = \"import x from 'react'\";\n", []),
        ("src/A.vue", "<script>\nimport x from '../ui/x'\n</script>\n", [(2, "/ui/x")]),
        ("a/b.go", 'package b\nimport (\n\t"fmt"\n\tui "ex.com/m/ui"\n)\n', [(3, "fmt"), (4, "ex.com/m/ui")]),
        ("a/b.go", 'package b\nimport "os"\nvar s = "import"\n', [(2, "os")]),
        ("A.java", "package a;\nimport com.acme.ui.Button;\n", [(2, "com/acme/ui/Button")]),
        ("A.kt", "import com.acme.ui.Button as B\n", [(1, "com/acme/ui/Button")]),
        ("A.java", "import static com.acme.Ui.draw;\n", [(1, "com/acme/Ui/draw")]),
        ("src/core/a.rs", "use crate::{ui, core::b};\n", [(1, "/src/core/b"), (1, "/src/ui")]),
        ("src/core/a.rs", "use super::ui::draw;\n", [(1, "/src/core/ui/draw"), (1, "/src/core/ui/draw")]),
        ("x/src/core/a.rs", "fn f() { crate::ui::go() }\n", [(1, "/x/src/ui/go")]),
        ("core/a.c", '#include "ui/x.h"\n#include <ui/y.h>\n', [(1, "/core/ui/x.h"), (1, "ui/x.h"), (2, "ui/y.h")]),
        ("core/a.cpp", '// #include "ui/x.h"\n', []),
        ("a.php", "<?php\nuse App\\Ui\\Button;\n", [(2, "App/Ui/Button")]),
        ("core/a.rb", "require_relative '../ui/x'\nrequire 'app/ui'\n", [(1, "/ui/x"), (2, "app/ui")]),
        ("A.cs", "using App.Ui;\n", [(1, "App/Ui")]),
        ("A.swift", "@testable import UIKit\n", [(1, "UIKit")]),
        ("notes.md", "import app.ui\n", []),
    ],
)  # fmt: skip
def test_an_import_is_told_with_its_line(path: str, text: str, expected: list[tuple[int, str]]) -> None:
    assert told(path, text) == expected


EXTENSIONS = ["py", "ts", "go", "java", "kt", "rs", "c", "php", "rb", "cs", "swift", "vue", "dart", "css"]


@given(st.text(max_size=300), st.sampled_from(EXTENSIONS))
def test_any_text_has_imports_with_lines_of_its_own(text: str, extension: str) -> None:
    lines = text.count("\n") + text.count("\r") + 1
    for one in imports_of(f"a/b.{extension}", text.encode()):
        assert 1 <= one.line <= lines
        assert one.parts
