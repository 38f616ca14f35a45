// Messages of the library have Chinese texts: those of all fixtures, and of damaged ones.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { FIXTURES, commandAnyway } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "fourfold-messages-"));
// Longer fixtures have the same messages.
const LONGEST = 1 << 16;
const TEXTS = [".md", ".json", ".txt", ".atd", ".mol", ".py", ".ml", ".html"];

let chinese;
let chineseKind;
let chineseOfFile;
let chineseReport;
let chineseValue;
before(async () => {
  const load = async (name) => {
    const entry = fileURLToPath(new URL(`../page/${name}`, import.meta.url));
    const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
    return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  };
  ({ chinese, chineseKind, chineseOfFile, chineseReport } = await load("messages.ts"));
  ({ chineseValue } = await load("chinese-values.ts"));
  write();
});
after(() => rmSync(folder, { recursive: true }));

function* files(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile() && !TEXTS.includes(extname(entry.name))) yield path;
  }
}

/** Writes each fixture as it is, cut, longer, and with another byte at several places. */
function write() {
  let count = 0;
  const put = (name, bytes) => {
    // Few files in each folder.
    const inside = join(folder, String(count >> 9));
    if ((count & 511) === 0) mkdirSync(inside);
    writeFileSync(join(inside, `${count}-${name}`), bytes);
    count += 1;
  };
  for (const path of files(FIXTURES)) {
    const [name, bytes] = [path.slice(path.lastIndexOf("/") + 1), readFileSync(path)];
    if (bytes.length === 0 || bytes.length > LONGEST) continue;
    put(name, bytes);
    put(name, bytes.subarray(0, bytes.length >> 1));
    put(name, Buffer.concat([bytes, Buffer.from([0])]));
    for (let step = 0; step < 12; step += 1) {
      const changed = Buffer.from(bytes);
      const most = step % 2 === 0 ? bytes.length : Math.min(bytes.length, 200);
      changed[(step * 7919) % most] = [0, 1, 0x7f, 0x80, 0xff, 0x12][step % 6];
      put(name, changed);
    }
  }
}

/** The messages that have no Chinese text. */
function missing(messages) {
  const texts = new Set();
  for (const message of messages) {
    if (chinese(message) === undefined) texts.add(message.replace(/\d+/g, "0"));
  }
  return [...texts];
}

/** The parts that the command prints. */
function explained(...given) {
  const lines = commandAnyway("explain", "--json", ...given).split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

/** The parts of some of the files. */
let parts;

const withoutHint = (text) => text.replace(/; (use|give|decompress|unpack|`)[^]*$/, "").replace(/ \(looks like .*$/, "");
const ofFile = (line) => line.slice(line.indexOf(": ") + 2);

test("errors, suspicions and what was read", () => {
  const lines = commandAnyway("verify", "-r", "--all", folder).split("\n").filter((line) => line !== "");
  assert.ok(lines.length > 1000);
  const messages = lines.map((line) => {
    if (line.startsWith("    ")) return line.trim();
    const text = withoutHint(ofFile(line));
    return /^good \(\w+, (.*), \d+ bytes?\)$/.exec(text)?.[1] ?? text;
  });
  assert.deepEqual(missing(messages), []);
});

test("errors of parts", () => {
  parts = explained("-r", join(folder, "0"), join(folder, "5"));
  const errors = parts.map(({ error }) => error).filter((error) => typeof error === "string");
  assert.ok(errors.length > 100);
  assert.deepEqual(missing(errors.map(withoutHint)), []);
});

test("errors of values that are not of a type", () => {
  const [save, block] = ["biniou/schemas/save.atd", "molecule/schemas/blockchain.mol"].map((path) => FIXTURES + path);
  const lines = [
    commandAnyway("verify", "-r", "--schema", save, "--type", "players", folder),
    commandAnyway("verify", "-r", "--schema", block, "--type", "Block", folder),
  ].join("").split("\n");
  const errors = lines.filter((line) => line.includes(": ")).map((line) => withoutHint(ofFile(line))).filter((text) => !text.startsWith("good"));
  assert.ok(errors.length > 100);
  assert.deepEqual(missing(errors), []);
});

test("messages with long names of a file stay as they are", () => {
  const name = " has no : as ,  in ";
  assert.notEqual(chinese(`BF16 cannot be stored in npz in ${name}`), undefined);
  assert.equal(chinese(`BF16 cannot be stored in npz in ${name.repeat(100)}`), undefined);
  assert.equal(chineseOfFile(": in ".repeat(10_000)), undefined);
});

test("errors of damaged headers and ONNX models", () => {
  const reasons = [
    "invalid varint", "invalid key value: 4294967296", "invalid tag value: 0", "invalid wire type value: 7", "buffer underflow",
    "invalid wire type: Varint (expected LengthDelimited)", "delimited length exceeded", "unexpected end group tag", "recursion limit reached",
    "invalid string value: data is not UTF-8 encoded", "a field of 7 bytes, of which 3 are there",
  ];
  for (const reason of reasons) {
    for (const field of ["", "Attribute.name: "]) {
      const text = chinese(`not an ONNX model: ${field}${reason} at byte 12; export or copy the whole file again`);
      assert.doesNotMatch(text ?? reason, /[a-z]{2,} [a-z]{2,}/);
      assert.match(text, /字节 12/);
    }
  }
  assert.equal(chinese("invalid header: invalid UTF-8 at byte 19"), "文件头无效：不是有效的 UTF-8（字节 19）");
});

test("errors with a line only", () => {
  assert.equal(chinese("expected `type`, found `{`, line 1"), "应为 `type`，遇到 `{`（第 1 行）");
});

test("errors in schemas", () => {
  const [kept, schemas] = [/`[^`]*`|<[^>]*>/g, mkdtempSync(join(folder, "schemas-"))];
  const paths = [];
  for (const source of ["molecule/schemas/blockchain.mol", "biniou/schemas/save.atd"]) {
    const text = readFileSync(FIXTURES + source, "utf8");
    for (const [at, { index, 0: token }] of [...text.matchAll(/\w+|\S/g)].slice(0, 150).entries()) {
      for (const other of ["", ";", "\""]) {
        const path = join(schemas, `${paths.length}-${at}${extname(source)}`);
        writeFileSync(path, text.slice(0, index) + other + text.slice(index + token.length));
        paths.push(path);
      }
    }
  }
  const found = commandAnyway("schema", "check", ...paths).split("\n").map((line) => /^\S+: bad: (.* at line \d+, column \d+)$/.exec(line)?.[1]);
  const errors = found.filter((error) => error !== undefined);
  assert.ok(errors.length > 100);
  assert.deepEqual(missing(errors), []);
  assert.deepEqual(errors.map(chinese).filter((text) => /[a-z]{2,} [a-z]{2,}/.test(text.replace(kept, ""))), []);
  assert.equal(chinese("expected `;` or `}` after a field, found `a` at line 2, column 3"), "应为字段之后的 `;` 或 `}`，遇到 `a`（第 2 行第 3 列）");
});

test("values of parts", () => {
  const values = explained("-r", FIXTURES).map(({ value }) => value).filter((value) => typeof value === "string");
  assert.ok(values.length > 1000);
  const left = values.map(chineseValue).filter((text) => /[a-z]{2,} [a-z]{2,}|\bbytes?\b/.test(text.replace(/"[^]*"/, "")));
  assert.deepEqual(left, []);
  for (const [english, text] of [
    ["char8 [4], 4 bytes: \"relu\"", "char8 [4]，4 字节：\"relu\""], ["float32 [2]x1, 8 bytes: 1.0, 2.0", "float32 [2]x1，8 字节: 1.0, 2.0"],
    ["79: item 2, at byte 2464, no bytes", "79：元素 2，位于字节 2464，没有字节"], ["\"str of 1 byte\"", "\"str of 1 byte\""],
  ]) assert.equal(chineseValue(english), text);
});

test("reasons of unknown shapes", () => {
  assert.deepEqual(missing([
    "TenniS has no such operator", "the shape of input 0 is unknown", "the values of input 1 are unknown", "the module does not state the shape of this input",
    "node \"y\" (conv2d): no param \"padding\"; set it to integers of the shape [4, 2]", "node \"y\" (conv2d): w takes 3 channels, x has 4; inputs: float32 [1]",
    "multiply-adds of 1 node are unknown, first y (the shape of input 0 is unknown)", "multiply-adds of 2 nodes are unknown, first y",
    "5 nodes, 1 input, 1 output; inside boxes: 2 constants; coloured by multiply-adds, 12 in all", "a is no shape for x, such as 1x3x224x224",
  ]), []);
});

test("evidence", () => {
  const lines = commandAnyway("detect", "-r", folder).split("\n").filter((line) => line.startsWith("    "));
  assert.ok(lines.length > 1000);
  assert.deepEqual(missing(lines.map((line) => withoutHint(line.slice(14)))), []);
});

test("reports", () => {
  const left = new Set();
  for (const path of files(FIXTURES)) {
    // The hint of the command names its subcommand.
    const report = commandAnyway("info", path).replace(/; `fourfold convert .*/, "");
    for (const line of chineseReport(report).split("\n")) {
      // Names in the file can be English.
      const words = /\b(type not given|shape not given|[\d,]+ (tensor|parameter|element|byte|diagnostic|record)s?\b|inputs: |outputs: |nodes: |settings of|statistics: |column-major|stream of|can be: )/.exec(line);
      if (words) left.add(`${words[0]}: ${line}`);
    }
  }
  assert.deepEqual([...left], []);
});

test("tensors that cannot be read have a reason in Chinese", () => {
  assert.equal(chineseReport("f: npz, 9 bytes\n\nnot read\n  a: dtype `|O`, which is not a number\n  b: elements are uint4"),
    "f：npz，9 字节\n\n未读取\n  a：dtype |O 不是数值类型\n  b：元素类型为 uint4");
});

test("packages have a report in Chinese", () => {
  assert.equal(chineseReport("f: sta, 9 bytes\n\n  a.tsm  binary  1,265 bytes: tsm module of 2 nodes\n  b      binary  4 bytes\n  c      binary  9 bytes: damaged tsm module: no outputs at byte 4\n  and 3 more values\n\n2 binary values, 9 bytes"),
    "f：sta，9 字节\n\n  a.tsm  binary  1,265 字节：2 个节点的 tsm 模块\n  b      binary  4 字节\n  c      binary  9 字节：损坏的 tsm 模块：没有输出（字节 4）\n  另有 3 个值\n\n2 个二进制值，9 字节");
});

test("a message keeps its numbers, path and byte", () => {
  assert.equal(
    chinese("offset 4365 is before the previous offset 4500 in transactions[0].raw.outputs at byte 420"),
    "偏移 4365 小于前一个偏移 4500（transactions[0].raw.outputs，字节 420）");
  assert.equal(chinese("length 1 needs 6 bytes or more, 5 left at byte 9, after 1 value"), "长度 1 至少需要 6 字节，只剩 5 字节（字节 9，在 1 个值之后）");
  assert.equal(chinese("node 3: no #op in graph[3] at byte 9"), "节点 3：缺少 #op（graph[3]，字节 9）");
  assert.equal(chinese("a new message"), undefined);
});

test("errors of tensors and slices", () => {
  assert.deepEqual(missing([
    "float6_e2m3fn cannot be stored in npz, which has no elements of 6 bits, in w; use safetensors",
    "char8 cannot be stored in npy in w", "the name __metadata__ is reserved in safetensors", "a bool of 2, neither 0 nor 1, in w",
    "2 tensors: an npy file has exactly one", "npy has no bfloat16: as uint16, 1.0 would become 16256, in w; download safetensors instead",
    "input ends early: 8 bytes needed, 3 left", "header of 4294967295 bytes, 100000000 at most, at byte 0",
    "invalid header: missing field `dtype` at byte 15", "the tensors have 1 byte, 2 follow the header",
    "the elements begin at 6, expected 8, in b", "float32 [2] needs 8 bytes, data_offsets are [0, 7] in a",
    "float4_e2m1fn [3] needs 12 bits, not a multiple of 8, in a", "uint8 [4294967296, 4294967296] is too large for any file in a",
    "unknown type F5 in a", "float32 [3] needs 12 bytes, 8 follow the header", "the header is cut off", "expected `{` in the header",
    "descr, fortran_order or shape is missing in the header", "dtype `|O`, which is not a number", "a structured dtype, which no other container has",
    "a size larger than memory in w.npy", "12 bytes unpack to 13 bytes or more in w.npy", "not an array",
    "unknown type of elements 99", "shape [-1] has a negative size, or more elements than memory",
    "there are 3 bytes of elements, the shape needs 4", "there are 3 elements, the shape needs 4",
    "offset of external data is \"x\", no number of bytes",
    "1 tensor cannot be converted (s: a sparse tensor); in Python, `fourfold.save(dict(fourfold.tensors(IN)), OUT)` writes all others",
    "axis 0: index 2 is beyond 2 elements; use `1, :`", "axis 1: `x in y` is neither an index nor a slice; use `:`",
    "axis 0: `` is neither an index nor a slice; use `:`", "axis 0: a step of 0; use `1:2`",
    "not an ONNX model: there is no graph", "input 0 is missing; inputs: none", "input 1 has 2 dims, expected 4; inputs: float32 [2, 3]",
    "4 slices for 3 axes; use `0, 1, 2`", "1 slice for 0 axes; use `...`", "2 slices for 1 axis; use `0`", "`...` can be used once only; use `...`",
  ]), []);
});

test("kinds of parts", () => {
  const block = [`${FIXTURES}molecule/schemas/blockchain.mol`, "--type", "Block", `${FIXTURES}molecule/blocks/block-40.bin`];
  const kinds = new Set([...parts, ...explained("--schema", ...block)].map(({ what }) => what));
  assert.ok(kinds.size > 50);
  // Types, and words of the formats.
  const kept = /^(batch|bool|byte|bytes|dtype|float\d+|u?int\d+|num_variant|string|svint|uvint|unit|ext|[A-Z]\w+)$/;
  assert.deepEqual([...kinds].filter((kind) => !kept.test(kind) && chineseKind(kind) === kind), []);
  assert.equal(chineseKind("offset in a of b"), "a of b 中的偏移");
  // Names of types are not translated, also if they are words of a format.
  assert.equal(chineseKind("version"), "版本");
  assert.deepEqual(["version", "count of items", "full size of version"].map((kind) => chineseKind(kind, ["version", "items"])),
    ["version", "count of items", "version 的总长度"]);
});
