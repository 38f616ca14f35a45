"""What pyarrow and DuckDB find in Parquet files.

    python.py FILE...       prints JSON: for each file an object of "pyarrow" and "duckdb"

Each reader prints the number of rows, and for each column and child column: its Arrow type, the number of values, the
number of nulls, and the sum of numbers or the total length of text or bytes. Children of a null are not counted. Sums of
integers are text, since JSON parsers may read large numbers as floats.

Counts and sums are computed by the readers' own functions, not from Python objects.

Needs pyarrow and duckdb.
"""

import json
import sys

import duckdb
import pyarrow
import pyarrow.compute as compute
import pyarrow.parquet

# The Arrow name of each DuckDB type.
DUCKDB_TYPES = {
    "boolean": "bool", "utinyint": "uint8", "usmallint": "uint16", "uinteger": "uint32", "ubigint": "uint64",
    "tinyint": "int8", "smallint": "int16", "integer": "int32", "bigint": "int64", "float": "float",
    "double": "double", "decimal": "decimal", "varchar": "text", "blob": "bytes", "list": "list", "array": "list",
    "map": "map", "struct": "struct", "null": "null",
}
FLOATS = ("float", "double")


def number(kind, total):
    """A sum as JSON has it. The sum of nothing is null in both readers."""
    if kind in FLOATS:
        return total or 0.0
    return str(int(total or 0))


def pyarrow_kind(ty):
    types = pyarrow.types
    for is_kind, kind in [
        (types.is_dictionary, "names"), (types.is_decimal, "decimal"), (types.is_string, "text"),
        (types.is_binary, "bytes"), (types.is_fixed_size_binary, "bytes"), (types.is_list, "list"),
        (types.is_fixed_size_list, "list"), (types.is_map, "map"), (types.is_struct, "struct"),
    ]:
        if is_kind(ty):
            return kind
    return str(ty)


class Pyarrow:
    """Adds what chunks of columns have."""

    def __init__(self, path):
        table = pyarrow.parquet.read_table(path)
        self.columns = {}
        for name, column in zip(table.column_names, table.columns):
            for chunk in column.chunks or [pyarrow.array([], column.type)]:
                self.add(name, chunk)
        self.rows = table.num_rows

    def add(self, path, array):
        kind = pyarrow_kind(array.type)
        found = self.columns.setdefault(path, {"type": kind, "count": 0, "nulls": 0})
        assert found["type"] == kind, (path, found["type"], kind)
        found["count"] += len(array)
        found["nulls"] += array.null_count
        array = array.drop_null()
        if kind == "struct":
            for at in range(array.type.num_fields):
                self.add(f"{path}.{array.type.field(at).name}", compute.struct_field(array, [at]))
        elif kind == "list":
            self.add(f"{path}[]", compute.list_flatten(array))
        elif kind == "map":
            # A slice would have the keys and items of the whole array.
            array = pyarrow.concat_arrays([array])
            self.add(f"{path}[].key", array.keys)
            self.add(f"{path}[].value", array.items)
        elif kind in ("text", "bytes", "names"):
            array = array.dictionary_decode() if kind == "names" else array
            found["length"] = found.get("length", 0) + (compute.sum(compute.binary_length(array)).as_py() or 0)
        elif kind != "null":
            if kind not in ("bool", "decimal", *FLOATS):
                # The sum of integers has 64 bits, and wraps around.
                array = array.cast(pyarrow.decimal128(38, 0))
            total = number(kind, compute.sum(array).as_py())
            before = found.get("sum", number(kind, 0))
            found["sum"] = before + total if kind in FLOATS else str(int(before) + int(total))


class Duckdb:
    """Queries each child column separately."""

    def __init__(self, path):
        self.columns = {}
        self.base = duckdb.connect()
        file = "read_parquet(" + literal(path) + ")"
        whole = self.base.sql(f"FROM {file}")
        for name, ty in zip(whole.columns, whole.types):
            self.add(name, ty, f"SELECT {quoted(name)} AS v FROM {file}")
        [(self.rows,)] = self.base.sql(f"SELECT count(*) FROM {file}").fetchall()

    def add(self, path, ty, query):
        kind = DUCKDB_TYPES[str(ty.id).strip('"').lower()]
        what = {"text": "sum(strlen(v))", "bytes": "sum(octet_length(v))", "bool": "count_if(v)"}.get(kind, "sum(v)")
        has_total = kind not in ("list", "map", "struct", "null")
        [(count, nulls, total)] = self.base.sql(
            f"SELECT count(*), count(*) FILTER (v IS NULL), {what if has_total else 'NULL'} FROM ({query})"
        ).fetchall()
        found = self.columns[path] = {"type": kind, "count": count, "nulls": nulls}
        if kind in ("text", "bytes"):
            found["length"] = int(total or 0)
        elif has_total:
            found["sum"] = number(kind, total)
        there = f"FROM ({query}) WHERE v IS NOT NULL"
        if kind == "struct":
            for name, child in ty.children:
                self.add(f"{path}.{name}", child, f"SELECT struct_extract(v, {literal(name)}) AS v {there}")
        elif kind == "list":
            self.add(f"{path}[]", ty.children[0][1], f"SELECT unnest(v) AS v {there}")
        elif kind == "map":
            for (name, child), part in zip(ty.children, ("map_keys", "map_values")):
                self.add(f"{path}[].{name}", child, f"SELECT unnest({part}(v)) AS v {there}")


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def literal(text):
    return "'" + text.replace("'", "''") + "'"


def main(paths):
    found = []
    for path in paths:
        readers = {"pyarrow": Pyarrow(path), "duckdb": Duckdb(path)}
        found.append({name: {"rows": it.rows, "columns": it.columns} for name, it in readers.items()})
    print(json.dumps(found))


main(sys.argv[1:])
