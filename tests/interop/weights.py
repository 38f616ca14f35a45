"""What Python makes of the files that `fourfold convert` writes, and files of its own to convert.

    weights.py check JOBS          JOBS: JSON, a list of [dump of a fixture, converted file]
    weights.py write FOLDER        writes files, and what they hold, into the folder
    weights.py compare A B         whether two files hold equal arrays under equal names

Needs numpy and safetensors.
"""

import base64
import hashlib
import json
import pathlib
import struct
import sys

import numpy
import safetensors.numpy

# Types of tsm by code: what NumPy calls them, and the axis that is added after the others.
TYPES = {
    0: ("u1", [0]), 1: ("i1", []), 2: ("u1", []), 3: ("i2", []), 4: ("u2", []), 5: ("i4", []),
    6: ("u4", []), 7: ("i8", []), 8: ("u8", []), 9: ("f2", []), 10: ("f4", []), 11: ("f8", []),
    12: ("u8", []), 13: ("u1", []), 14: ("u2", []), 15: ("u4", []), 16: ("u1", []),
    17: ("u2", []), 18: ("u4", []), 19: ("u8", []), 20: ("u8", [2]), 21: ("?", []),
    22: ("f2", [2]), 23: ("c8", []), 24: ("c16", []),
    **{code: ("i1", []) for code in range(25, 33)},
}


def load(path):
    """The arrays of a file by name."""
    if path.endswith(".safetensors"):
        return safetensors.numpy.load_file(path)
    if path.endswith(".npz"):
        with numpy.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    return {"value": numpy.load(path, allow_pickle=False)}


def escaped(name, special=""):
    """A name in the documented encoding."""
    text = name.decode("utf-8", "surrogateescape")
    out = ""
    for letter in text:
        if 0xDC80 <= ord(letter) <= 0xDCFF:
            out += f"\\x{ord(letter) - 0xDC00:02x}"
        elif letter == "\\" or letter in special:
            out += "\\" + letter
        elif ord(letter) < 0x20 or ord(letter) == 0x7F:
            out += f"\\x{ord(letter):02x}"
        else:
            out += letter
    return out


def raw(name):
    """The bytes of a name in a dump."""
    if isinstance(name, dict):
        return bytes.fromhex(name["hex"])
    return bytes.fromhex(name[4:]) if name.startswith("hex:") else name.encode()


def of_primitiv(dump):
    """Name, shape, and the bytes or their hash, column-major."""

    def tensor(value):
        batch = value["shape"]["batch"]
        shape = value["shape"]["dims"] + ([batch] if batch > 1 else [])
        while batch == 1 and shape and shape[-1] == 1:
            shape.pop()
        if "sha256" in value:
            return shape, value["sha256"]
        return shape, b"".join(struct.pack("<I", int(bits, 16)) for bits in value["bits"])

    def parameter(name, value):
        yield (name, *tensor(value["value"]))
        for stat in value["stats"]:
            yield (f"{name}:{escaped(raw(stat['name']))}", *tensor(stat["value"]))

    if dump["type"] == "tensor":
        yield ("value", *tensor(dump["tensor"]))
    elif dump["type"] == "parameter":
        yield from parameter("value", dump)
    else:
        for entry in dump["parameters"]:
            key = entry["key"]
            yield from parameter(".".join(escaped(raw(part), ".:") for part in key), entry)


def of_tsm(dump):
    """Name, shape, type, and the bytes or their hash, row-major."""

    def fields(name, values):
        for at, value in enumerate(values):
            data = value.get("sha256") or base64.b64decode(value["base64"])
            yield (f"{name}[{at}]" if at else name, value["shape"], value["dtype"], data)

    if isinstance(dump, list):
        yield from fields("value", dump)
        return
    for node in dump["nodes"]:
        name = escaped(raw(node["name"]))
        for param, values in node["params"].items():
            if param in ("#op", "#name"):
                continue
            is_value = node["op"] == "<const>" and param == "value"
            yield from fields(name if is_value else f"{name}/{escaped(raw(param))}", values)


def same(data, expected):
    if isinstance(expected, str):
        return hashlib.sha256(data).hexdigest() == expected
    return data == expected


def check(fixture, path):
    """The arrays of a converted fixture against the fixture's own dump."""
    dump = json.loads(pathlib.Path(fixture).read_text())
    arrays = load(path)
    where = f"{path} of {fixture}"
    if "/primitiv/" in fixture:
        for name, shape, data in of_primitiv(dump):
            array = arrays.pop(name)
            assert array.dtype == numpy.float32, (where, name, array.dtype)
            assert list(array.shape) == shape, (where, name, array.shape, shape)
            assert same(array.tobytes(order="F"), data), (where, name)
            if not isinstance(data, str) and len(shape) == 2:
                rows, columns = shape
                for i in range(rows):
                    for j in range(columns):
                        at = 4 * (i + rows * j)
                        assert array[i, j].tobytes() == data[at:at + 4], (where, name, i, j)
    else:
        for name, shape, code, data in of_tsm(dump):
            dtype, lanes = TYPES[code]
            if code == 24 and path.endswith(".safetensors"):
                dtype, lanes = "f8", [2]
            if name not in arrays and code == 0 and shape == []:
                continue  # what has no fields is shown as one of these
            array = arrays.pop(name)
            assert array.dtype == numpy.dtype(dtype), (where, name, array.dtype, dtype)
            assert list(array.shape) == shape + lanes, (where, name, array.shape, shape + lanes)
            assert same(array.tobytes(), data), (where, name)
    assert not arrays, (where, list(arrays))


def write(folder):
    """Files in every way that Python writes them."""
    folder = pathlib.Path(folder)
    random = numpy.random.default_rng(1)
    floats = {
        "encoder.w": random.standard_normal((3, 4), dtype=numpy.float32),
        "encoder.b": random.standard_normal((3,), dtype=numpy.float32),
        "scalar": numpy.array(1.5, dtype=numpy.float32),
        "cube": random.standard_normal((2, 3, 4), dtype=numpy.float32),
        "ij": numpy.array([[0, 1, 2], [10, 11, 12]], dtype=numpy.float32),
    }
    others = {
        "bool": numpy.array([True, False]),
        "i8": numpy.array([-128, 127], dtype=numpy.int8),
        "u64": numpy.array([[2**64 - 1]], dtype=numpy.uint64),
        "f16": numpy.array([0.5, numpy.nan], dtype=numpy.float16),
        "f64": numpy.array([1e300, -0.0]),
        "i64": numpy.arange(-3, 3).reshape(2, 3),
        "empty": numpy.zeros((0, 3), dtype=numpy.int32),
    }
    safetensors.numpy.save_file(floats, folder / "floats.safetensors", {"by": "Python"})
    safetensors.numpy.save_file(floats | others, folder / "all.safetensors")
    complexes = {"c16": numpy.array([1 + 2j, -3j]), "c8": numpy.array([1j], dtype=numpy.complex64)}
    numpy.savez(folder / "complex.npz", **complexes)
    numpy.savez(folder / "floats.npz", **floats)
    numpy.savez(folder / "all.npz", **floats, **others)
    numpy.savez_compressed(folder / "packed.npz", **floats, **others)
    # An array without axes would get one.
    turned = {
        name: numpy.asfortranarray(array) if array.ndim else array
        for name, array in (floats | others).items()
    }
    numpy.savez(folder / "fortran.npz", **turned)
    big = {name: array.astype(array.dtype.newbyteorder(">")) for name, array in turned.items()}
    numpy.savez(folder / "big.npz", **big)
    numpy.save(folder / "ij.npy", floats["ij"])


def compare(one, two):
    one, two = load(one), load(two)
    assert one.keys() == two.keys(), (one.keys(), two.keys())
    for name, array in one.items():
        other = two[name]
        assert array.dtype.newbyteorder("=") == other.dtype.newbyteorder("="), (name, other.dtype)
        numpy.testing.assert_array_equal(array, other, err_msg=name, strict=False)
        assert array.shape == other.shape, (name, array.shape, other.shape)


def main():
    command, *arguments = sys.argv[1:]
    if command == "check":
        for fixture, path in json.loads(pathlib.Path(arguments[0]).read_text()):
            check(fixture, path)
    elif command == "write":
        write(*arguments)
    elif command == "compare":
        compare(*arguments)
    else:
        sys.exit(f"unknown: {command}")


if __name__ == "__main__":
    main()
