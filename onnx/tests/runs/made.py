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


def softmax(x):
    with np.errstate(all="ignore"):
        y = np.exp(x)
        return y / y.sum(1, keepdims=True)


def divided(a, b):
    """Integers; by 0 the largest or the least one."""
    limits = np.iinfo(a.dtype)
    quotient = np.trunc(a / np.where(b == 0, 1, b)).astype(a.dtype)
    return np.where(b == 0, np.where(a > 0, a.dtype.type(limits.max), a.dtype.type(limits.min)), quotient)


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


def letterbox(x, sizes, kind, outer):
    height, width = sizes
    scale = min(np.float32(width) / np.float32(x.shape[2]), np.float32(height) / np.float32(x.shape[1]))
    step = np.float32(1) / scale
    y = np.full((x.shape[0], height, width, x.shape[3]), outer).astype(x.dtype)
    for row in range(height):
        for column in range(width):
            at = [float(step * np.float32(index)) for index in (row, column)]
            if kind == 2:
                at = [math.floor(value + 0.5) for value in at]
            if any(not 0 <= value < size - 1 for value, size in zip(at, x.shape[1:3])):
                continue
            (top, left), (down, right) = map(int, at), (value - int(value) for value in at)
            for i, part_down in enumerate((1 - down, down)):
                for j, part_right in enumerate((1 - right, right)):
                    part = x[:, top + i, left + j] * (part_down * part_right)
                    y[:, row, column] = part + (y[:, row, column] if i + j else 0)
    return y


def suppressed(boxes, scores, count):
    """Boxes by their corners."""
    chosen = []
    for index in sorted(range(len(scores)), key=lambda index: -scores[index]):
        if scores[index] <= 0.2 or len(chosen) == count:
            continue
        low, high = np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])
        area = (high - low).prod(1)
        for other in chosen:
            common = np.maximum(np.minimum(high[index], high[other]) - np.maximum(low[index], low[other]), 0).prod()
            if area[index] > 0 and area[other] > 0 and common / (area[index] + area[other] - common) > 0.4:
                break
        else:
            chosen.append(index)
    return np.array(chosen + [-1] * (count - len(chosen)), np.int32)


def priors(x, image, sizes, largest, ratios, step, clip, variances):
    ratios = [np.float32(ratio) for ratio in ratios]
    height, width = x.shape[2:]
    boxes = []
    for row in range(height):
        for column in range(width):
            center = (np.float32(column + 0.5) * np.float32(step[1]), np.float32(row + 0.5) * np.float32(step[0]))
            for at, size in enumerate(sizes):
                shapes = [(size, size)]
                if largest:
                    shapes.append((np.float32(math.sqrt(size * largest[at])),) * 2)
                shapes += [(size * np.sqrt(ratio), size / np.sqrt(ratio)) for ratio in ratios]
                for broad, high in shapes:
                    for sign in (-1, 1):
                        boxes.append((float(center[0]) + sign * float(broad) / 2) / image[1])
                        boxes.append((float(center[1]) + sign * float(high) / 2) / image[0])
    boxes = np.array(boxes, np.float32)
    boxes = np.clip(boxes, 0, 1) if clip else boxes
    return np.stack([boxes, np.resize(np.array(variances, np.float32), boxes.shape)])[None]


def interpolated(x, row, column):
    height, width = x.shape[1:]
    if row < -1 or row > height or column < -1 or column > width:
        return np.zeros(x.shape[0])
    row, column = min(max(row, 0), height - 1), min(max(column, 0), width - 1)
    top, left = int(row), int(column)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    down, across = row - top, column - left
    upper = x[:, top, left] * (1 - across) + x[:, top, right] * across
    lower = x[:, bottom, left] * (1 - across) + x[:, bottom, right] * across
    return upper * (1 - down) + lower * down


def roi_align(x, rois):
    y = np.zeros((len(rois), x.shape[1], 3, 2), np.float32)
    for roi, (image, left, top, right, bottom) in enumerate(rois):
        left, top, right, bottom = (value * 0.5 for value in (left, top, right, bottom))
        high, broad = max(bottom - top, 1) / 3, max(right - left, 1) / 2
        for row in range(3):
            for column in range(2):
                samples = [
                    interpolated(x[int(image)], top + (row + (i + 0.5) / 2) * high, left + (column + (j + 0.5) / 2) * broad)
                    for i in (0, 1)
                    for j in (0, 1)
                ]
                y[roi, :, row, column] = np.mean(samples, 0)
    return y


def yolo(x):
    y = 1 / (1 + np.exp(-x))
    for box in (0, 7):
        y[:, box + 2 : box + 4] = x[:, box + 2 : box + 4]
    return [y, np.array([2], np.int32), np.array([1, 2], np.int32), np.array([1.5, 2.5, 3.5, 4.5], np.float32)]


def away(x):
    return np.trunc(x + np.copysign(0.5, x))


def int8(x):
    return np.clip(x, -128, 127).astype(np.int8)


def quantized(x, w):
    wide = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (1, 0), (2, 1)], constant_values=-7)
    y = conv(wide, w.astype(np.float64), (0, 0, 0, 0), *WINDOW[1:])
    return y * np.array([0.5, 0.01, 3.0, -1.0], np.float32)[:, None, None]


def patches(x, places):
    rows, columns = int(15 * x.shape[2] / 40 + 0.5), int(10 * x.shape[3] / 30 + 0.5)
    bordered = np.pad(x, [(0, 0), (0, 0), (9, 9), (9, 9)])
    y = np.zeros((*x.shape[:2], rows, 3, columns), np.float32)
    for image in range(len(x)):
        for landmark in range(3):
            left, top = places[image, 2 * landmark : 2 * landmark + 2, 0, 0]
            top = int(top * (x.shape[2] - 1) - (rows - 1) / 2 + 0.5)
            left = int(left * (x.shape[3] - 1) - (columns - 1) / 2 + 0.5)
            y[image, :, :, landmark] = bordered[image, :, top + 9 :, left + 9 :][:, :rows, :columns]
    return y


WINDOW = ([1, 0, 2, 1], [2, 1], [1, 2])
PLAIN = ([1, 0, 2, 1], [1, 1], [1, 1])
EXPECTED = {
    "mod-1": np.fmod,
    "mod-2": lambda a, b: np.fmod(b, a),
    "reduce_mean-1": lambda x: np.array([int(x.sum(dtype=np.uint8)) // 300], np.uint8),
    "reduce_sum-1": lambda x: np.array([-(2**31)], np.int32),
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
    # 70000 as int16.
    "relu_max-5": lambda x: np.clip(x, 0, 4464),
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
    "softmax-1": softmax,
    "softmax-2": np.ones_like,
    "div-1": divided,
    "div-2": divided,
    "div-3": divided,
    "batch_norm-1": lambda x, mean, variance: (x - mean[:, None]) / np.sqrt(variance[:, None] + np.float32(1e-5)),
    # The places are 0, 0.67, 1.33 and 2, of which the last one has no pixel after it.
    "sample2d-3": lambda x: np.pad(x[:, :, [0, 1, 1]][:, :, :, [0, 1, 1]], [(0, 0), (0, 0), (0, 1), (0, 1)]),
    "cast-1": bytes_of,
    "conv2d-1": lambda x, w: conv(x, w, *WINDOW, 0.5),
    "depthwise_conv2d-1": lambda x, w: conv(x, w, *WINDOW, 0.5, True),
    "transpose_conv2d-1": lambda x, w: transposed(x, w, *WINDOW),
    "conv2d_v2-1": lambda x, w: conv(x, w, *WINDOW),
    "depthwise_conv2d_v2-1": lambda x, w: conv(x, w, *WINDOW, 0.0, True),
    "conv2d_winograd-1": lambda x, w: conv(x, w, *PLAIN),
    "conv2d_winograd_v2-1": lambda x, w: conv(x, w, *PLAIN),
    "pooling2d_v2-1": pooled,
    "pooling2d_v2-2": pooled,
    "onnx_pooling2d_padding-1": padding(0, -1, 1, 1),
    "tf_pooling2d_padding-1": padding(0, 1, 2, 2),
    "mx_pooling2d_padding-1": padding(0, -1, 1, 1),
    "dragon_pooling2d_padding-1": padding(0, 1, 1, 1),
    "tf_conv2d_padding-1": padding(0, 1, 2, 2),
    "dragon_conv2d_padding-1": padding(0, 0, 1, 1),
    "pack-1": lambda x, y: [x, y],
    "force_color-1": lambda x: np.repeat(x, 3, 2),
    "force_gray-1": lambda x: (x @ np.array([0.114, 0.587, 0.299], np.float32))[..., None],
    "force_gray-2": lambda x: (x @ np.array([0.25, 0.5], np.float32))[..., None],
    "nhwc_center_crop2d-1": lambda x: np.pad(x[:, 1:5], [(0, 0), (0, 0), (0, 1), (0, 0)]),
    "nhwc_scale_resize2d-1": lambda x: resized(x, 1, [8, 11], 0),
    "nhwc_letterbox-1": lambda x: letterbox(x, [7, 6], 0, 0.5),
    "nhwc_letterbox-2": lambda x: letterbox(x, [6, 6], 2, -2),
    "non_max_suppression_v3-1": lambda boxes, scores: suppressed(boxes, scores, 5),
    "non_max_suppression_v3-2": lambda boxes, scores: suppressed(
        np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], 1), scores, 5
    ),
    "prior_box-1": lambda x, image: priors(
        x, (40, 50), (10, 20), (30, 41), (2, 1 / 2, 3, 1 / 3), (40 / 2, 50 / 3), True, [0.1, 0.1, 0.2, 0.2]
    ),
    "prior_box-2": lambda x: priors(x, (30, 30), (10,), (), (0.5,), (9.5, 9.5), False, [0.1]),
    "roi_align-1": roi_align,
    "yolo-1": yolo,
    "quantize-1": lambda x: int8(away(x / 2)),
    "quantize-2": lambda x: int8(away(x * np.repeat(np.float32([0.5, 2]), 6).reshape(x.shape))),
    "quantize-3": lambda x: int8(away(x / 2)),
    "conv2d_quantized-1": quantized,
    "shape_index_patch-1": patches,
}
GIVEN = {
    "mod-1": [np.array([[7, -7, 5], [-9, 8, 0]], np.int32), np.array([[3, 3, -2], [-4, 9, 5]], np.int32)],
    "mod-2": [np.array([5], np.int32), np.array([[7, -7, 5], [-9, 8, 3]], np.int32)],
    "reduce_mean-1": [np.array([0] * 299 + [255], np.uint8)],
    "reduce_sum-1": [np.array([2**31 - 1, 1], np.int32)],
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
    "pooling2d_v2-2": [fill((3, 2, 8, 9), "float32", 1)],
    "relu_max-5": [np.array([5000, -5000, 32767, 4463], np.int16)],
    "relu_max-1": [np.array([3, -3, 1, -100, 2, 0], np.int16)],
    "topkv2-1": [fill((2, 3), "float32", 1)],
    "range-1": [np.array(value, np.int32) for value in (8, 1, -3)],
    "leaky_relu-1": [np.array([3, -3, 0, -100, 7, -1], np.int16)],
    "add-1": [np.array([1, 255, 3], np.uint8), np.array([2, 65535, 40000], np.uint16)],
    "non_max_suppression_v3-1": [
        np.array([[0, 0, 4, 4], [4, 5, 0, 0], [1, 1, 5, 5], [6, 6, 9, 9], [6, 6, 9, 8], [0, 0, 0, 0]], np.float32),
        np.array([0.9, 0.8, 0.7, 0.1, 0.95, 0.3], np.float32),
    ],
    "non_max_suppression_v3-2": [
        np.array([[0, 0, 4, 4], [4, 4, -4, -4], [1, 2, 4, 4], [6, 6, 3, 3], [6, 6, 3, 2], [2, 2, 9, 0]], np.float32),
        np.array([0.9, 0.8, 0.7, 0.21, 0.15, 0.3], np.float32),
    ],
    "roi_align-1": [
        fill((2, 3, 6, 7), "float32", 1),
        np.array([[0, 1, 2, 9, 8], [1, -3, -2, 20, 20], [1, 4, 4, 4, 4], [0, 3.5, 0.25, 11, 6.75]], np.float32),
    ],
    "quantize-1": [np.array([1, 3, 5, -1, -3, 0.9, 300, -300, 1, 3, -1, -5, 0.99, 0, 500], np.float32).reshape(1, 3, 5)],
    "quantize-2": [np.array([1, 3, 5, -1, -3, 0.9, 0.25, -0.25, 0.75, 70, -70, 0], np.float32).reshape(2, 6)],
    "quantize-3": [np.array([[1, 3, 5, -1, -3, 0.9, 300, -300]], np.float64)],
    "conv2d_quantized-1": [
        np.random.default_rng(seed).integers(-128, 128, shape).astype(np.int8)
        for seed, shape in enumerate([(2, 3, 6, 7), (4, 3, 3, 3)])
    ],
    "shape_index_patch-1": [
        fill((2, 3, 8, 9), "float32", 1),
        np.array([[0.5, 0.5, 0, 1, 0.3, 0.9], [1.3, 0.1, -0.2, 0.4, 0.25, 0.75]], np.float32).reshape(2, 6, 1, 1),
    ],
    "softmax-1": [np.array([[89, 1, 2], [-200, -300, -250], [1, 2, 88]], np.float32)],
    "softmax-2": [np.array([[1000], [-1000], [1]], np.float32)],
    "div-1": [np.array([7, -7, 0, -7], np.int32), np.array([0, 0, 0, 2], np.int32)],
    "div-2": [np.array([7, 0, 65535], np.uint16), np.array([0], np.uint16)],
    "div-3": [np.array([7, -7, 7], np.int64), np.array([0, 0, -2], np.int64)],
    "batch_norm-1": [fill((2, 3, 2), "float32", 1), fill((3,), "float32", 2), np.array([1, 2, 0.5], np.float32)],
    "sample2d-3": [np.arange(1, 10, dtype=np.int16).reshape(1, 1, 3, 3)],
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
