"""The stub has the docstrings of the extension module, for editors. `UPDATE=1` writes them."""

import ast
import inspect
import os
import textwrap

from conftest import ROOT

from fourfold import _fourfold

STUB = ROOT / "python" / "fourfold" / "_fourfold.pyi"


def member(owner, name):
    """A member's docstring, if it is its own."""
    if name.startswith("_") or name not in vars(owner):
        return None
    # In `vars`, a static method has the docstring of `staticmethod`.
    docs = getattr(owner, name).__doc__
    return inspect.cleandoc(docs) if docs else None


def documented(text):
    """The stub with the docstrings of the module."""
    lines = text.splitlines()
    tree = ast.parse(text)
    found = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and hasattr(_fourfold, node.name):
            owner = getattr(_fourfold, node.name)
            found.append((node, inspect.cleandoc(owner.__doc__) if owner.__doc__ else None))
            found += [
                (part, member(owner, part.name))
                for part in node.body
                if isinstance(part, ast.FunctionDef)
            ]
        elif isinstance(node, ast.FunctionDef):
            found.append((node, member(_fourfold, node.name)))
    for node, docs in sorted(found, key=lambda pair: -pair[0].lineno):
        first, *rest = node.body
        is_docs = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        if docs is None or (is_docs and first.value.value is not ... and ast.get_docstring(node) == docs):
            continue
        indent = " " * (node.col_offset + 4)
        block = textwrap.indent(f'"""{docs}"""' if "\n" not in docs else f'"""{docs}\n"""', indent)
        block = [line.rstrip() for line in block.splitlines()]
        if is_docs:
            start, end = first.lineno - 1, first.end_lineno
            head = lines[start][: first.col_offset].rstrip()
            lines[start:end] = [*([head] if head else []), *block]
        else:
            lines[first.lineno - 1 : first.lineno - 1] = block
            # A decorator is before the line of its function.
            decorators = getattr(first, "decorator_list", [])
            if decorators:
                at = first.lineno - 1
                del lines[at : at + len(block)]
                at = decorators[0].lineno - 1
                lines[at:at] = block
    return "\n".join(lines) + "\n"


def test_the_stub_has_docstrings():
    text = STUB.read_text(encoding="utf-8")
    wanted = documented(text)
    if os.environ.get("UPDATE"):
        STUB.write_text(wanted, encoding="utf-8")
    else:
        assert text == wanted, "run this test with UPDATE=1"
    assert wanted.count('"""') > 150
    assert "Static methods in Python" not in wanted
