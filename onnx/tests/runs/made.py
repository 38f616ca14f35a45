"""Runs models of single operators, `made.py MODELS`, and compares with what TenniS's source computes, in plain loops."""

import math
import pathlib
import sys

import numpy as np
from runs import checked, compare

A = -0.75


def fill(shape, kind, seed):
    random = np.random.default_rng(seed)
    if kind == "float32":
        return random.standard_normal(shape).astype(np.float32)
    return random.integers(1, 9, shape).astype(kind)


def line(size, to, place, kind, strict):
    """The pixels of one dim: pairs of index and weight; none outside."""
    pixels = []
    for index in range(to):
        at = place(index)
        low = math.floor(at)
        if kind == 1:
            t = at - low
            if strict and (low < 1 or low >= size - 3):
                pixels.append([])
                continue
            if low < 1:
                low, t = 1, 0.0
            if low >= size - 3:
                low, t = size - 3, 0.0
            weights = [
                ((A * (t + 1) - 5 * A) * (t + 1) + 8 * A) * (t + 1) - 4 * A,
                ((A + 2) * t - (A + 3)) * t * t + 1,
                ((A + 2) * (1 - t) - (A + 3)) * (1 - t) * (1 - t) + 1,
            ]
            weights.append(1 - sum(weights))
            pixels.append([(low - 1 + at, weight) for at, weight in enumerate(weights)])
            continue
        if strict and not 0 <= at < size - 1:
            pixels.append([])
            continue
        at = min(max(at, 0), size - 1 - 1e-5)
        low = int(at)
        pixels.append([(low, 1 - at + low), (low + 1, at - low)])
    return pixels


def mix(x, dim, pixels):
    x = np.moveaxis(x.astype(np.float64), dim, 0)
    rows = [sum((weight * x[at] for at, weight in pixel), np.zeros(x.shape[1:])) for pixel in pixels]
    return np.moveaxis(np.stack(rows), 0, dim)


def resized(x, dim, sizes, kind):
    for at, to in enumerate(sizes):
        scale = x.shape[dim + at] / to
        pixels = line(x.shape[dim + at], to, lambda index: (index + 0.5) * scale - 0.5, kind, False)
        x = mix(x, dim + at, pixels)
    return x.astype(np.float32)


def sampled(x, scale, kind):
    step = np.float32(1) / np.float32(scale)
    for dim in (2, 3):
        size = x.shape[dim]
        place = lambda index: float(step * np.float32(index))
        x = mix(x, dim, line(size, int(size * scale), place, kind, True))
    return x.astype(np.float32)


def nearest(x, sizes):
    for dim, to in zip((2, 3), sizes):
        size = x.shape[dim]
        scale = size / to
        bias = scale / 2 - 0.5
        at = [scale * index + bias for index in range(to)]
        # Halves are rounded away from 0.
        at = [math.trunc(value) + math.trunc(2 * (value - math.trunc(value))) for value in at]
        x = np.take(x, np.clip(at, 0, size - 1), dim)
    return x


def conv(x, w, pads, stride, dilation, value=0.0, depthwise=False):
    top, bottom, left, right = pads
    x = np.pad(x, [(0, 0), (0, 0), (top, bottom), (left, right)], constant_values=value)
    high, broad = (dilation[at] * (w.shape[2 + at] - 1) + 1 for at in (0, 1))
    rows = (x.shape[2] - high) // stride[0] + 1
    columns = (x.shape[3] - broad) // stride[1] + 1
    outputs = x.shape[1] if depthwise else w.shape[0]
    y = np.zeros((x.shape[0], outputs, rows, columns), np.float32)
    for row in range(rows):
        for column in range(columns):
            top, left = row * stride[0], column * stride[1]
            part = x[:, :, top : top + high : dilation[0], left : left + broad : dilation[1]]
            if depthwise:
                y[:, :, row, column] = (part * w).sum((2, 3))
            else:
                y[:, :, row, column] = np.einsum("nchw,ochw->no", part, w)
    return y


def transposed(x, w, pads, stride, dilation):
    top, bottom, left, right = pads
    size = [(x.shape[2 + at] - 1) * stride[at] + dilation[at] * (w.shape[2 + at] - 1) + 1 for at in (0, 1)]
    y = np.zeros((x.shape[0], w.shape[1], *size), np.float32)
    for row in range(x.shape[2]):
        for column in range(x.shape[3]):
            for i in range(w.shape[2]):
                for j in range(w.shape[3]):
                    at = (row * stride[0] + i * dilation[0], column * stride[1] + j * dilation[1])
                    y[:, :, at[0], at[1]] += x[:, :, row, column] @ w[:, :, i, j]
    return y[:, :, top : size[0] - bottom, left : size[1] - right]


def whitened(x, deviation):
    x = x.astype(np.float64)
    flat = x.reshape(x.shape[0], -1)
    flat = flat - flat.mean(1, keepdims=True)
    std = np.sqrt((flat * flat).mean(1, keepdims=True))
    return (flat / deviation(std, flat.shape[1])).reshape(x.shape).astype(np.float32)


def space_to_batch(x):
    x = np.pad(x, [(0, 0), (0, 0), (1, 0), (0, 2)])
    return np.concatenate([x[:, :, h::2, w::3] for h in range(2) for w in range(3)])


def batch_to_space(x):
    y = np.zeros((2, 3, 4, 6), np.float32)
    for h in range(2):
        for w in range(3):
            y[:, :, h::2, w::3] = x[(h * 3 + w) * 2 :][:2]
    return y[:, :, 1:, :-2]


def pooled(x):
    """Windows of 3 by 3 by 2, of which a part at the end is cut off."""
    x = np.pad(x, [(0, 0), (0, 0), (0, 0), (1, 1)], constant_values=-np.inf)
    y = [[x[:, :, row : row + 3, column : column + 3].max((2, 3)) for column in (0, 2, 4, 6, 8)] for row in (0, 2, 4)]
    return np.array(y).transpose(2, 3, 0, 1)


def padding(top, bottom, left, right):
    """Padding that is computed from sizes."""
    return lambda *_: np.array([[0, 0], [0, 0], [top, bottom], [left, right]], np.int32)


def scatter(data, indices, updates):
    data = data.copy()
    data[indices[:, 0]] = updates
    return data


def bytes_of(x):
    return (x.astype(np.int32) & 255) != 0


WINDOW = ([1, 0, 2, 1], [2, 1], [1, 2])
PLAIN = ([1, 0, 2, 1], [1, 1], [1, 1])
EXPECTED = {
    "mod-1": np.fmod,
    "mod-2": lambda a, b: np.fmod(b, a),
    "reduce_mean-1": lambda x: np.array([int(x.sum(dtype=np.uint8)) // 300], np.uint8),
    "where-1": np.where,
    "where-2": np.where,
    "erf-1": lambda x: np.vectorize(math.erf)(x).astype(np.float32),
    "copy-1": lambda x: x,
    "slice-1": lambda x: x[1:3, :, 2:3],
    "slice_v2-1": lambda x: x[1:3, :, 2:3],
    "split-1": lambda x: [x[:1], x[1:3], x[3:]],
    "tile_v2-1": lambda x: np.tile(x, [2, 1, 3]),
    "max-1": lambda x: x.max(1),
    "norm_image-1": lambda x: whitened(x, lambda std, count: std + 0.5),
    "prewhiten-1": lambda x: np.zeros_like(x),
    "crop_to-1": lambda x, y: np.pad(x[:, :, 1:4], [(0, 0)] * 3 + [(1, 1)]),
    "dimshuffle-1": lambda x: x[:, [3, 1, 1, 0, 2]],
    "divided-1": lambda x: np.pad(x, [(0, 0), (0, 0), (0, 3), (0, 0)], constant_values=2),
    "gather_elements-1": lambda x, at: np.take_along_axis(x, at % 3, 1),
    "gatherv2-1": lambda x, at: x[at[:, 0], at[:, 1]],
    "scatter_nd-1": scatter,
    "resize_nearest_neighbor-1": lambda x: nearest(x, [6, 3]),
    "space_to_batch4d-1": space_to_batch,
    "batch_to_space4d-1": batch_to_space,
    "argmax-1": lambda x: x.view(np.int32).argmax(1).astype(np.int32),
    "relu_max-1": lambda x: np.minimum(np.maximum(x, 0), 2).astype(np.int16),
    "relu_max-2": lambda x: np.minimum(np.maximum(x, 0), np.float32(-0.5)),
    "topkv2-1": lambda x: [-np.sort(-x), np.argsort(-x).astype(np.int32)],
    "l2_norm-1": np.ones_like,
    "range-1": lambda start, limit, step: np.array([8, 5], np.int32),
    "resize2d-1": lambda x: resized(x, 1, [9, 4], 1),
    "resize2d-2": lambda x: resized(x, 2, [9, 4], 0),
    "sample2d-1": lambda x: sampled(x, 1.5, 0),
    "sample2d-2": lambda x: sampled(x, 0.75, 1),
    "slice_v3-1": lambda x: x[[4, 2, 0]][:, :0:-1],
    "strided_slice-1": lambda x: x[1][None, :, :, -4:-1:2],
    "flatten-1": lambda x: x[:, :, None, None],
    "pad-1": lambda x: np.pad(x[1:, :-1], [(0, 2), (0, 0)], constant_values=1.5),
    "leaky_relu-1": lambda x: np.where(x > 0, x, x * 2).astype(np.int16),
    "add-1": lambda a, b: a.astype(np.int16) + b.astype(np.int16),
    "cast-1": bytes_of,
    "conv2d-1": lambda x, w: conv(x, w, *WINDOW, 0.5),
    "depthwise_conv2d-1": lambda x, w: conv(x, w, *WINDOW, 0.5, True),
    "transpose_conv2d-1": lambda x, w: transposed(x, w, *WINDOW),
    "conv2d_v2-1": lambda x, w: conv(x, w, *WINDOW),
    "depthwise_conv2d_v2-1": lambda x, w: conv(x, w, *WINDOW, 0.0, True),
    "conv2d_winograd-1": lambda x, w: conv(x, w, *PLAIN),
    "conv2d_winograd_v2-1": lambda x, w: conv(x, w, *PLAIN),
    "pooling2d_v2-1": pooled,
    "onnx_pooling2d_padding-1": padding(0, -1, 1, 1),
    "tf_pooling2d_padding-1": padding(0, 1, 2, 2),
    "mx_pooling2d_padding-1": padding(0, -1, 1, 1),
    "dragon_pooling2d_padding-1": padding(0, 1, 1, 1),
    "tf_conv2d_padding-1": padding(0, 1, 2, 2),
    "dragon_conv2d_padding-1": padding(0, 0, 1, 1),
}
GIVEN = {
    "mod-1": [np.array([[7, -7, 5], [-9, 8, 0]], np.int32), np.array([[3, 3, -2], [-4, 9, 5]], np.int32)],
    "mod-2": [np.array([5], np.int32), np.array([[7, -7, 5], [-9, 8, 3]], np.int32)],
    "reduce_mean-1": [np.array([0] * 299 + [255], np.uint8)],
    "where-1": [np.array([True, False, True]), fill((2, 3), "float32", 1), fill((2, 3), "float32", 2)],
    "where-2": [np.array([True, False, True]), np.array([1, 2, 2**64 - 1], np.uint64), np.array([4, 2**63, 6], np.uint64)],
    "gather_elements-1": [fill((2, 3, 4), "float32", 1), np.array([[[0, 1, 2, -1]], [[2, -3, 0, 1]]], np.int32)],
    "gatherv2-1": [fill((3, 4, 2), "float32", 1), np.array([[0, 1], [2, 3], [1, 0], [2, 0], [0, 3]], np.int32)],
    "scatter_nd-1": [fill((4, 3), "float32", 1), np.array([[2], [0]], np.int32), fill((2, 3), "float32", 2)],
    "argmax-1": [
        np.array(
            [
                [-1, -5, -2, -5, -3],
                [-1, 2, 7, 7, -9],
                [-0.0, 0.0, -3, -4, -4],
                [-0.0, -0.0, -0.0, -0.0, -0.0],
                [-1e-40, -1e-45, -0.0, -1e-42, -1e-41],
                [np.inf, 1, -np.inf, np.inf, 0],
            ],
            np.float32,
        )
    ],
    "pooling2d_v2-1": [fill((3, 2, 8, 9), "float32", 1)],
    "relu_max-1": [np.array([3, -3, 1, -100, 2, 0], np.int16)],
    "topkv2-1": [fill((2, 3), "float32", 1)],
    "range-1": [np.array(value, np.int32) for value in (8, 1, -3)],
    "leaky_relu-1": [np.array([3, -3, 0, -100, 7, -1], np.int16)],
    "add-1": [np.array([1, 255, 3], np.uint8), np.array([2, 65535, 40000], np.uint16)],
    "cast-1": [np.array([0.0, 0.5, 1, 256, 257, -0.5, 2.5, -1], np.float32)],
}
KINDS = {"tensor(float)": "float32", "tensor(int32)": "int32"}


def main():
    (folder,) = map(pathlib.Path, sys.argv[1:])
    paths = sorted(folder.glob("*.onnx"))
    assert {path.stem for path in paths} == set(EXPECTED)
    failed = []
    for path in paths:
        try:
            session = checked(path)
            inputs = GIVEN.get(path.stem) or [
                fill(value.shape, KINDS[value.type], seed) for seed, value in enumerate(session.get_inputs())
            ]
            names = [value.name for value in session.get_inputs()]
            found = session.run(None, dict(zip(names, inputs)))
            expected = EXPECTED[path.stem](*inputs)
            expected = expected if isinstance(expected, list) else [expected]
            assert len(found) == len(expected)
            for index, (found, expected) in enumerate(zip(found, expected)):
                compare(found, expected, f"output {index}")
        except Exception as error:
            failed.append(f"{path.stem}: {' '.join(str(error).split())[:400]}")
    print(f"{len(paths) - len(failed)} of {len(paths)} models")
    sys.exit("\n".join(failed) or 0)


main()
