"""What Python's csv and json read in the lines that `convert` writes."""

import csv
import json
import math
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])


def of_csv(name):
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


def of_json(name):
    with open(folder / f"{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


AMOUNTS = [2**128 - 1, 2**53 + 1, 0]
CAPACITIES = [2**64 - 1, 2**53 + 1, 0]
HASHES = [bytes([byte] * 32) for byte in (0xAB, 0, 0x12)]
DATA = [b"", None, b"\x00\xff"]
NUMBERS = [[1, 2**64 - 1], [], [0]]


def plain(text):
    return bytes.fromhex(text.removeprefix("0x")) if text else None


for rows in (of_csv("cells"), of_json("cells")):
    assert [int(row["amount"]) for row in rows] == AMOUNTS
    assert [int(row["capacity"]) for row in rows] == CAPACITIES
    assert [plain(row["hash"]) for row in rows] == HASHES
    assert [plain(row["data"]) for row in rows] == DATA
numbers = [json.loads(row["numbers"]) for row in of_csv("cells")]
assert numbers == NUMBERS == [row["numbers"] for row in of_json("cells")]
assert all(type(row["capacity"]) is int for row in of_json("cells"))

IDS = [2**63 - 1, -(2**63), -1, 7, 8, 9]
TEXTS = ['a,"b"\r\nc', "", " \x1b[31m é", "null", "0x1f", "1"]
XS = [0.1, math.nan, -math.inf, 5e-324, -0.0, 123456789012345680.0]


def bits(number):
    number = float(number)
    return "nan" if math.isnan(number) else struct.pack("<d", number)


for rows in (of_csv("events"), of_json("events")):
    assert [int(row["id"]) for row in rows] == IDS
    assert [row["text"] for row in rows] == TEXTS
    points = [row["at"] if isinstance(row["at"], dict) else json.loads(row["at"]) for row in rows]
    assert [bits(point["x"]) for point in points] == [bits(x) for x in XS]
    single = struct.unpack("<f", struct.pack("<f", float(points[3]["y"])))[0]
    assert single == struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]
    assert [row["kind"] for row in rows] == ["Large"] + 5 * ["Small"]
assert [row["note"] for row in of_json("events")] == ["", None, "n", None, None, None]
assert of_json("events")[0]["counts"] == {"a,b": 1, '"': -(2**62)}
