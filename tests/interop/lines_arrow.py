"""What pyarrow and DuckDB read in the lines that `convert` writes."""

import pathlib
import sys

import duckdb
import pyarrow.csv
import pyarrow.json

folder = pathlib.Path(sys.argv[1])
csv, jsonl = str(folder / "cells.csv"), str(folder / "cells.jsonl")
AMOUNTS = [2**128 - 1, 2**53 + 1, 0]
CAPACITIES = [2**64 - 1, 2**53 + 1, 0]
HASH = "0x" + 32 * "ab"

# Numbers of more than 63 bits need a type: a guess would be a float.
types = {"amount": pyarrow.string(), "capacity": pyarrow.uint64()}
options = pyarrow.csv.ConvertOptions(column_types=types)
table = pyarrow.csv.read_csv(csv, convert_options=options).to_pydict()
assert [int(amount) for amount in table["amount"]] == AMOUNTS
assert table["capacity"] == CAPACITIES
assert table["hash"][0] == HASH

schema = pyarrow.schema([("capacity", pyarrow.uint64())])
table = pyarrow.json.read_json(jsonl, parse_options=pyarrow.json.ParseOptions(explicit_schema=schema)).to_pydict()
assert [int(amount) for amount in table["amount"]] == AMOUNTS
assert table["capacity"] == CAPACITIES
assert table["hash"][0] == HASH
assert table["data"] == ["0x", None, "0x00ff"]

rows = duckdb.sql(f"select amount, capacity, hash, data from read_json('{jsonl}')").fetchall()
assert [int(row[0]) for row in rows] == AMOUNTS
assert [row[1] for row in rows] == CAPACITIES, rows
assert rows[0][2] == HASH and [row[3] for row in rows] == ["0x", None, "0x00ff"]
types = "{'amount': 'VARCHAR', 'capacity': 'UBIGINT'}"
rows = duckdb.sql(f"select amount, capacity, data, numbers from read_csv('{csv}', types = {types})").fetchall()
assert [int(row[0]) for row in rows] == AMOUNTS
assert [row[1] for row in rows] == CAPACITIES
assert [row[2] for row in rows] == ["0x", None, "0x00ff"]
