#!/usr/bin/env python3
"""Reads the test messages of Splunk Connect for Syslog (SC4S) and the sourcetypes that it expects.

    samples.py CHECKOUT [NAME ...] > sc4s.tsv
    duplog route --rules FILE --expect sc4s.tsv

CHECKOUT is a copy of github.com/splunk/splunk-connect-for-syslog, of which nothing is part of this
project. A NAME takes tests/test_NAME*.py alone. What is written has the form of
deploy/splunk/rules/products.tsv. A test that is not of the usual form (a template with `event`, or a
literal, and a search with a sourcetype) is told on standard error.
"""
import ast
import datetime
import pathlib
import re
import sys

NOW = datetime.datetime(2026, 11, 23, 10, 15, 2, 123456, datetime.timezone.utc)
VALUES = {
    "mark": "<111>", "bsd": NOW.strftime("%b %d %H:%M:%S"), "iso": NOW.isoformat(), "host": "sc4s-host-1",
    "date": NOW.strftime("%Y-%m-%d"), "time": NOW.strftime("%H:%M:%S"), "tzoffset": "+0000", "tzname": "UTC",
    "epoch": "%.6f" % NOW.timestamp(), "year": "2026", "millisec": "123", "microsec": "123456", "seq": "20",
    "app": "app-1", "pid": "4711", "key": "key-1",
}


def text(node, names):
    """The string that an expression is, as far as it can be told without running it; else None."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [text(node.left, names), text(node.right, names)]
        return None if None in parts else "".join(parts)
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "x1" for part in node.values)
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "strftime" and node.args:
        form = text(node.args[0], names)
        return None if form is None else NOW.strftime(form)
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "isoformat":
        return NOW.isoformat()
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "format":
        form = text(node.func.value, names)
        return None if form is None else form.replace("{}", "x1")
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        value = text(node.value, names)
        ends = [end and ast.literal_eval(end) for end in (node.slice.lower, node.slice.upper)]
        return None if value is None else value[ends[0]:ends[1]]
    return None


def rendered(template, values):
    template = re.sub(r"\{%-?\s*now\s+'[^']*',\s*'([^']*)'\s*-?%\}", lambda now: NOW.strftime(now[1]), template)
    return re.sub(r"\{\{-?\s*(\w+)\s*-?\}\}", lambda name: values.get(name[1], name[1]), template)


def cases(function, lists):
    """The values of `event` for each run of a test."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "attr", "") == "parametrize":
            name, rows = decorator.args[0], decorator.args[1]
            rows = lists.get(rows.id) if isinstance(rows, ast.Name) else rows
            for row in getattr(rows, "elts", []):
                columns = row.elts if isinstance(row, ast.Tuple) else [row]
                yield dict(zip(re.split(r",\s*", name.value), (text(each, {}) for each in columns)))
            return
    yield {}


def samples(function, lists):
    for case in cases(function, lists):
        names = {name: value for name, value in case.items() if value is not None}
        values, templates, given = dict(VALUES), [], set()
        for node in sorted((n for n in ast.walk(function) if hasattr(n, "lineno")), key=lambda n: (n.lineno, n.col_offset)):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = text(node.value, {**names, "epoch": values["epoch"]})
                if value is None and isinstance(node.value, ast.BinOp):  # a fixed beginning, and a key
                    value = (text(node.value.left, names) or "x") + "1"
                if value is not None:
                    values[node.targets[0].id] = value
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "from_string":
                templates.append(text(node.args[0], names))
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "render":
                for keyword in node.keywords:
                    value = text(keyword.value, {**names, **values})
                    if keyword.arg and value is not None and keyword.arg not in given | {"epoch"}:
                        values[keyword.arg] = value
                        given.add(keyword.arg)  # the message's values, not those of the search behind it
        search = next((t for t in templates if t and "sourcetype" in t), "")
        wanted = re.search(r"sourcetype\s*=\s*[\"']?([^\"'\s]+)", rendered(search, {**values, **names}))
        message = next((t for t in templates if t and t is not search), None)
        yield (wanted and wanted[1], message and rendered(message, {**values, **names}).rstrip("\n"))


def main(checkout, *prefixes):
    for file in sorted(pathlib.Path(checkout, "tests").glob("test_*.py")):
        if prefixes and not any(file.name.startswith("test_" + prefix) for prefix in prefixes):
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        lists = {each.targets[0].id: each.value for each in tree.body
                 if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)}
        for function in tree.body:
            if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
                for sourcetype, message in samples(function, lists):
                    if sourcetype and message and "\n" not in message:
                        print(sourcetype, message, sep="\t")
                    else:
                        print(f"{file.name}:{function.lineno}: {function.name}: not of the usual form", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
