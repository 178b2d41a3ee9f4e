from __future__ import annotations

from tests.drift.matrix.project import translated
from tests.drift.matrix.typescript import TYPESCRIPT

JAVASCRIPT = translated(
    TYPESCRIPT,
    "javascript",
    ("import type { Answer, Gateway } from './types';\n", ""),
    ("export interface Answer {\n  ok: boolean;\n}\n", "export const OK = true;\n"),
    (": Promise<void>", ""),
    (": Promise<Answer>", ""),
    ("<void>", ""),
    (": Gateway", ""),
    (": string", ""),
    (": number", ""),
    (".ts", ".js"),
)
TSX = translated(
    TYPESCRIPT,
    "tsx",
    ("  return `order ${order}`;\n", "  return <Order name={order} />;\n"),
    ("): string {", ") {"),
    ("`order ${order}`", "<Order name={order} />"),
    ("`the order ${order}`", "<Order name={order} known />"),
    (".ts", ".tsx"),
)
