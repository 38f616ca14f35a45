// All that the page says. A string that is missing in one language does not compile.
import { english } from "../../inspect/src/explain/page/words.js";
import type { DumpWords } from "../../inspect/src/explain/page/words.js";
import { oneLine } from "./dom.ts";
import type { Family } from "./protocol.ts";

export interface Words extends DumpWords {
  language: string;
  other: string;
  title: string;
  lead: string;
  drop: string;
  stays: string;
  formats: string;
  open: string;
  example: string;
  examples: Record<"module" | "save" | "block" | "model" | "damaged", string>;
  theme: string;
  themes: Record<"auto" | "light" | "dark", string>;
  switchTo: string;
  views: Record<"overview" | "bytes" | "json" | "graph" | "tensors" | "compare", string>;
  reading: string;
  ofAll: (done: string, all: string) => string;
  working: string;
  cancel: string;
  cancelled: string;
  again: string;
  failed: (why: string) => string;
  stopped: string;
  noMemory: string;
  tooLong: string;
  close: string;
  format: string;
  unknown: string;
  undetermined: string;
  size: string;
  byteCount: (count: string) => string;
  state: string;
  good: string;
  damaged: string;
  untyped: string;
  notRead: (count: string) => string;
  suspicions: string;
  evidence: string;
  confidences: Record<string, string>;
  inside: string;
  type: string;
  anyType: string;
  names: string;
  dropSchema: string;
  schemaTaken: (name: string) => string;
  downloads: string;
  showByte: string;
  showBytes: string;
  partsSummary: (parts: number, errors: number) => string;
  rowsFull: (leftOut: string, byte: string) => string;
  rowsUnseen: (byte: string) => string;
  rowsFrom: (byte: string) => string;
  goOn: string;
  fromStart: string;
  jsonShort: (shown: string) => string;
  findNode: string;
  zoomIn: string;
  zoomOut: string;
  fit: string;
  graphHelp: string;
  families: string;
  family: Record<Family["name"], string>;
  nodes: string;
  partOf: string;
  around: string;
  steps: string;
  draw: string;
  whole: string;
  point: string;
  operator: string;
  inputs: string;
  params: string;
  output: string;
  tensor: string;
  shape: string;
  filter: string;
  weights: string;
  statistics: string;
  sumUp: string;
  noNumbers: string;
  numbers: Record<"count" | "min" | "max" | "mean" | "deviation" | "zero" | "nan" | "positive" | "negative", string>;
  histogram: (min: string, max: string) => string;
  chooseOther: string;
  compareLead: string;
  same: string;
  differences: (count: number) => string;
  changes: Record<string, string>;
  tensorCount: (count: number) => string;
}

/** A count with its digits in groups. */
export function grouped(count: number): string { return count.toLocaleString("en"); }

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const en: Words = {
  ...english,
  noPart: (path) => english.noPart(oneLine(path)),
  language: "en",
  other: "中文",
  title: "fourfold",
  lead: "See what is in files of Molecule, biniou, tsm and primitiv.",
  drop: "Drop a file here, or open one.",
  stays: "Files are read on this machine. Nothing leaves it: the page has no way to send anything.",
  formats: "It also reads tensors in safetensors, npz and npy. Drop a .mol or .atd schema beside a file to see names.",
  open: "Open …",
  example: "Examples",
  examples: {
    module: "a module of tsm: a small network",
    save: "biniou: players of a game, with their schema",
    block: "Molecule: a block of CKB, with its schema",
    model: "primitiv: a model with its weights",
    damaged: "a module of tsm with a damaged byte",
  },
  theme: "Theme",
  themes: { auto: "as the system", light: "light", dark: "dark" },
  switchTo: "中文",
  views: { overview: "What it is", bytes: "Bytes", json: "JSON", graph: "Graph", tensors: "Tensors", compare: "Compare" },
  reading: "Reading",
  ofAll: (done, all) => `${done} of ${all}`,
  working: "Working …",
  cancel: "Cancel",
  cancelled: "Cancelled.",
  again: "Try again",
  failed: (why) => `That did not work: ${why}`,
  stopped: "The reader stopped: the file may need more memory than a page has, or this is an error of the viewer. The command `fourfold` reads it.",
  noMemory: "The file is too large: a browser gives a page 4 GiB of memory at most, and this machine may give less. The command `fourfold` reads it.",
  tooLong: "The file is too large for this page, which reads files of less than 4 GiB. The command `fourfold` reads it.",
  close: "Close the file",
  format: "Format",
  unknown: "unknown",
  undetermined: "Nothing settles what it is. How far each reader comes stands below.",
  size: "Size",
  byteCount: (count) => `${count} bytes`,
  state: "State",
  good: "good",
  damaged: "damaged",
  untyped: "its bytes hold no types: a .mol schema says what they are",
  notRead: (count) => `${count} bytes of tensors are read once they are asked for`,
  suspicions: "Suspicious",
  evidence: "Why this format",
  confidences: { unfit: "nothing speaks for it", possible: "possible", damaged: "damaged", fits: "fits", agrees: "fits well", signed: "signed" },
  inside: "What is inside",
  type: "Type",
  anyType: "the only one that fits",
  names: "Names",
  dropSchema: "Names or types from a file …",
  schemaTaken: (name) => `Names and types come from ${name}.`,
  downloads: "Download as",
  showByte: "Show the byte",
  showBytes: "Show its bytes",
  partsSummary: (parts, errors) => `${counted(parts, "part")}, ${counted(errors, "error")}`,
  rowsFull: (leftOut, byte) => `There is no room for all: ${leftOut} parts from byte ${byte} on are left out, except those around errors.`,
  rowsUnseen: (byte) => `Parts and errors from byte ${byte} on are not counted.`,
  rowsFrom: (byte) => `Parts from byte ${byte} on.`,
  goOn: "Show what follows",
  fromStart: "From the start",
  jsonShort: (shown) => `The first ${shown} bytes of the text. The download has all of it.`,
  findNode: "Find a node",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  fit: "Show all",
  graphHelp: "Keys: arrows follow connections, Page up and down go through all nodes, + and - zoom, 0 shows all. Drag to move.",
  families: "Colours of the operators",
  family: {
    data: "data", convolution: "convolution", pooling: "pooling", activation: "activation",
    normalisation: "normalisation", shape: "shape", arithmetic: "arithmetic", other: "other",
  },
  nodes: "Nodes",
  partOf: "A part of the graph",
  around: "Around the node",
  steps: "Steps",
  draw: "Draw",
  whole: "Draw all",
  point: "Point at a node, or choose one, to see what it is.",
  operator: "Operator",
  inputs: "Inputs",
  params: "Params and constants",
  output: "Output",
  tensor: "Tensor",
  shape: "Shape",
  filter: "Find a tensor",
  weights: "weights only",
  statistics: "Statistics",
  sumUp: "Sum up",
  noNumbers: "Its elements are no numbers.",
  numbers: {
    count: "Numbers", min: "Least", max: "Greatest", mean: "Mean", deviation: "Standard deviation",
    zero: "Zeros", nan: "NaN", positive: "+∞", negative: "−∞",
  },
  histogram: (min, max) => `Histogram of the finite numbers from ${min} to ${max}`,
  chooseOther: "Choose the other file …",
  compareLead: "Compare the open file with another one, by path; tensors also across formats.",
  same: "They hold the same.",
  differences: (count) => counted(count, "difference"),
  changes: { removed: "only in the first", added: "only in the second", changed: "changed", elements: "other elements" },
  tensorCount: (count) => counted(count, "tensor"),
};

const zh: Words = {
  bytes: "字节",
  parts: "部分",
  leftOut: "… 已省略",
  help: "指向一个字节可看到它属于哪一部分；点击一个部分可标出它的字节。按键：方向键、Page Up/Down、Home、End；/ 查找，Enter 下一个，Esc 取消。",
  items: (count) => `${count} 项`,
  find: "查找",
  among: "范围",
  kinds: { rows: "路径、词、值", hex: "字节（十六进制）", text: "字节（文本）" },
  previous: "上一个",
  next: "下一个",
  closeAll: "全部收起",
  openAll: "全部展开",
  asList: "列表",
  hexWanted: "每个字节两位 0 到 f",
  notFound: "没有找到",
  hit: (at, of) => `第 ${at} 个，共 ${of} 个`,
  noPart: (path) => `此页没有部分 ${oneLine(path)}`,
  faultAt: (byte, fault) => `字节 ${byte}：${fault}`,
  moreFaults: (count) => `另有 ${count} 处`,
  language: "zh",
  other: "English",
  title: "fourfold",
  lead: "查看 Molecule、biniou、tsm 和 primitiv 文件的内容。",
  drop: "把文件拖到这里，或打开一个文件。",
  stays: "文件在本机读取，不会离开本机：此页没有发送数据的途径。",
  formats: "也能读取 safetensors、npz 和 npy 中的张量。把 .mol 或 .atd 模式文件拖到旁边即可看到名称。",
  open: "打开…",
  example: "示例",
  examples: {
    module: "tsm 模块：一个小网络",
    save: "biniou：游戏玩家，附模式",
    block: "Molecule：CKB 区块，附模式",
    model: "primitiv：带权重的模型",
    damaged: "有一个字节损坏的 tsm 模块",
  },
  theme: "主题",
  themes: { auto: "跟随系统", light: "浅色", dark: "深色" },
  switchTo: "English",
  views: { overview: "概况", bytes: "字节", json: "JSON", graph: "计算图", tensors: "张量", compare: "比较" },
  reading: "正在读取",
  ofAll: (done, all) => `${done}，共 ${all}`,
  working: "正在处理…",
  cancel: "取消",
  cancelled: "已取消。",
  again: "重试",
  failed: (why) => `未能完成：${why}`,
  stopped: "读取器停止了：文件可能需要比页面更多的内存，或者这是页面的错误。命令 `fourfold` 可以读取它。",
  noMemory: "文件太大：浏览器最多给一个页面 4 GiB 内存，本机可能更少。命令 `fourfold` 可以读取它。",
  tooLong: "文件对此页来说太大：它读取小于 4 GiB 的文件。命令 `fourfold` 可以读取它。",
  close: "关闭文件",
  format: "格式",
  unknown: "未知",
  undetermined: "无法确定它是什么。下面说明每个读取器读到了哪里。",
  size: "大小",
  byteCount: (count) => `${count} 字节`,
  state: "状态",
  good: "完好",
  damaged: "已损坏",
  untyped: "字节中没有类型：.mol 模式文件说明它们是什么",
  notRead: (count) => `${count} 字节的张量内容在需要时才读取`,
  suspicions: "可疑之处",
  evidence: "为何是这种格式",
  confidences: { unfit: "没有依据", possible: "可能", damaged: "已损坏", fits: "符合", agrees: "很符合", signed: "有签名" },
  inside: "内容",
  type: "类型",
  anyType: "唯一符合的类型",
  names: "名称",
  dropSchema: "从文件取得名称或类型…",
  schemaTaken: (name) => `名称和类型来自 ${name}。`,
  downloads: "下载为",
  showByte: "显示该字节",
  showBytes: "显示其字节",
  partsSummary: (parts, faults) => `${grouped(parts)} 个部分，${grouped(faults)} 处错误`,
  rowsFull: (leftOut, byte) => `放不下全部：从字节 ${byte} 起省略了 ${leftOut} 个部分，错误附近的除外。`,
  rowsUnseen: (byte) => `字节 ${byte} 之后的部分和错误没有计入。`,
  rowsFrom: (byte) => `从字节 ${byte} 起的部分。`,
  goOn: "显示后面的部分",
  fromStart: "从头开始",
  jsonShort: (shown) => `这是文本的前 ${shown} 字节。下载的文件包含全部。`,
  findNode: "查找节点",
  zoomIn: "放大",
  zoomOut: "缩小",
  fit: "显示全部",
  graphHelp: "按键：方向键沿连线移动，Page Up/Down 逐个经过节点，+ 和 - 缩放，0 显示全部。拖动可移动。",
  families: "算子的颜色",
  family: {
    data: "数据", convolution: "卷积", pooling: "池化", activation: "激活",
    normalisation: "归一化", shape: "形状变换", arithmetic: "算术", other: "其他",
  },
  nodes: "节点",
  partOf: "图的一部分",
  around: "围绕节点",
  steps: "步数",
  draw: "绘制",
  whole: "绘制全部",
  point: "指向或选择一个节点，可看到它是什么。",
  operator: "算子",
  inputs: "输入",
  params: "参数和常量",
  output: "输出",
  tensor: "张量",
  shape: "形状",
  filter: "查找张量",
  weights: "仅权重",
  statistics: "统计",
  sumUp: "统计",
  noNumbers: "它的元素不是数。",
  numbers: {
    count: "个数", min: "最小", max: "最大", mean: "平均", deviation: "标准差",
    zero: "零", nan: "NaN", positive: "+∞", negative: "−∞",
  },
  histogram: (min, max) => `有限数的直方图，从 ${min} 到 ${max}`,
  chooseOther: "选择另一个文件…",
  compareLead: "按路径比较打开的文件和另一个文件；张量也可跨格式比较。",
  same: "内容相同。",
  differences: (count) => `${grouped(count)} 处不同`,
  changes: { removed: "仅在第一个中", added: "仅在第二个中", changed: "已改变", elements: "元素不同" },
  tensorCount: (count) => `${grouped(count)} 个张量`,
};

export const LANGUAGES = { en, zh };
export type Language = keyof typeof LANGUAGES;

/** The language of the browser, if the page has it. */
export function preferred(languages: readonly string[]): Language {
  for (const language of languages) {
    if (language.startsWith("zh")) return "zh";
    if (language.startsWith("en")) return "en";
  }
  return "en";
}
