// The texts of the web viewer. A text that is missing in one language is a type error.
import { english } from "../../inspect/src/explain/page/words.js";
import type { DumpWords } from "../../inspect/src/explain/page/words.js";
import { oneLine } from "./dom.ts";
import { chinese, chineseKind, chineseOfFile, chineseReport } from "./messages.ts";
import type { Family, TypeNote } from "./protocol.ts";

export interface Words extends DumpWords {
  language: string;
  other: string;
  /** A message of the library; `undefined` if it has no text in this language. */
  message: (english: string) => string | undefined;
  /** The same for a message that may begin with the name of a file. */
  messageOfFile: (english: string) => string | undefined;
  /** A report of the library. */
  report: (english: string) => string;
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
  looksLike: (name: string) => string;
  size: string;
  byteCount: (count: string) => string;
  state: string;
  good: string;
  damaged: string;
  unchecked: string;
  openSchema: string;
  notRead: (count: string) => string;
  suspicions: string;
  evidence: string;
  confidences: Record<string, string>;
  inside: string;
  type: string;
  noType: string;
  fittingTypes: string;
  otherTypes: string;
  typeNote: (note: TypeNote) => string;
  doesNotFit: string;
  names: string;
  dropSchema: string;
  schemaTaken: (name: string) => string;
  schemaWaits: (name: string) => string;
  dropWaiting: string;
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
  family: Record<Family, string>;
  /** A step of the heat. */
  parameters: (least: number, greatest: number | null) => string;
  fold: string;
  foldHelp: string;
  heat: string;
  nodes: string;
  partOf: string;
  around: string;
  steps: string;
  draw: string;
  whole: string;
  groups: string;
  allOpen: string;
  someClosed: string;
  level: (parts: number, count: number) => string;
  openGroup: string;
  closeGroup: string;
  consumers: string;
  more: (count: number) => string;
  point: string;
  operator: string;
  inputs: string;
  params: string;
  output: string;
  tensor: string;
  shape: string;
  filter: string;
  weights: string;
  sort: string;
  ascending: string;
  descending: string;
  inFileOrder: string;
  downloadNpy: string;
  elements: string;
  noElements: string;
  slice: string;
  rowAxis: string;
  columnAxis: string;
  noAxis: string;
  axis: (axis: number) => string;
  form: string;
  forms: Record<"auto" | "fixed" | "scientific" | "bits", string>;
  digits: string;
  atByte: (byte: string) => string;
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

/** A count with digit grouping. */
export function grouped(count: number): string { return count.toLocaleString("en"); }

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const en: Words = {
  ...english,
  noPart: (path) => english.noPart(oneLine(path)),
  language: "en",
  message: (english) => english,
  messageOfFile: (english) => english,
  report: (english) => english,
  other: "中文",
  title: "fourfold",
  lead: "View Molecule, biniou, tsm and primitiv files.",
  drop: "Drop a file here, or open one.",
  stays: "Files are read on this machine and never uploaded: the page cannot send anything.",
  formats: "It also reads tensors in safetensors, npz and npy. Drop a .mol or .atd schema on an open file to see names and types.",
  open: "Open …",
  example: "Examples",
  examples: {
    module: "tsm module: a small network",
    save: "biniou: players of a game, with schema",
    block: "Molecule: a CKB block, with schema",
    model: "primitiv: a model with weights",
    damaged: "tsm module with a damaged byte",
  },
  theme: "Theme",
  themes: { auto: "as the system", light: "light", dark: "dark" },
  switchTo: "中文",
  views: { overview: "Overview", bytes: "Bytes", json: "JSON", graph: "Graph", tensors: "Tensors", compare: "Compare" },
  reading: "Reading",
  ofAll: (done, all) => `${done} of ${all}`,
  working: "Working …",
  cancel: "Cancel",
  cancelled: "Cancelled.",
  again: "Try again",
  failed: (why) => `Error: ${why}`,
  stopped: "The reader was aborted: the file may need more memory than a page has, or this is a bug in the viewer. Use the command `fourfold` for this file.",
  noMemory: "The file is too large: a page has at most 4 GiB of memory, and less on some machines. Use the command `fourfold` for this file.",
  tooLong: "The file is too large: the web viewer reads files of less than 4 GiB. Use the command `fourfold` for this file.",
  close: "Close the file",
  format: "Format",
  unknown: "unknown",
  undetermined: "Unknown format. The result of each reader is shown below.",
  looksLike: (name) => `It looks like ${name}.`,
  size: "Size",
  byteCount: (count) => `${count} bytes`,
  state: "State",
  good: "good",
  damaged: "damaged",
  unchecked: "cannot be checked without a schema",
  openSchema: "Open a schema …",
  notRead: (count) => `${count} bytes of tensors are read when needed`,
  suspicions: "Suspicious",
  evidence: "Why this format",
  confidences: { unfit: "no match", possible: "possible", damaged: "damaged", fits: "matches", agrees: "matches well", signed: "has the signature" },
  inside: "Content",
  type: "Type",
  noType: "none",
  fittingTypes: "that fit",
  otherTypes: "others",
  typeNote: (note) => {
    switch (note.kind) {
      case "only": return `${oneLine(note.ty)} is the only type that fits.`;
      case "first": return `${grouped(note.fitting.length)} types fit; ${oneLine(note.ty)} is the first of them.`;
      case "none": return note.is_requested
        ? `The file is not of the type ${oneLine(note.ty)}, and is shown without types.`
        : `No type of the schema fits, and the file is shown without types. ${oneLine(note.ty)} fits best.`;
      case "other_format": return `The schema is for ${note.of_schema}, and this file can be read as ${note.format}.`;
      case "empty": return "The schema has no types.";
    }
  },
  doesNotFit: "does not fit the schema",
  names: "Names",
  dropSchema: "Names or types from a file …",
  schemaTaken: (name) => `Names and types come from ${name}.`,
  schemaWaits: (name) => `${name} will be used for the next file that is opened.`,
  dropWaiting: "Do not use it",
  downloads: "Download as",
  showByte: "Show the byte",
  showBytes: "Show its bytes",
  partsSummary: (parts, errors) => `${counted(parts, "part")}, ${counted(errors, "error")}`,
  rowsFull: (leftOut, byte) => `Too many parts: ${leftOut} parts from byte ${byte} on are not shown, except those around errors.`,
  rowsUnseen: (byte) => `Parts and errors from byte ${byte} on are not counted.`,
  rowsFrom: (byte) => `Parts from byte ${byte} on.`,
  goOn: "Show the next parts",
  fromStart: "From the start",
  jsonShort: (shown) => `Only the first ${shown} bytes are shown. The download is complete.`,
  findNode: "Find a node",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  fit: "Show all",
  graphHelp: "Keys: arrows follow connections, Page up and down go through all nodes, + and - zoom, 0 shows all. Drag or scroll to move; Ctrl and the wheel zoom.",
  families: "Colours of the operators",
  family: {
    data: "data", convolution: "convolution", pooling: "pooling", activation: "activation",
    normalisation: "normalisation", shape: "shape", arithmetic: "arithmetic", other: "other",
  },
  parameters: (least, greatest) => least === 0 ? "no parameters"
    : greatest === null ? `${grouped(least)} or more parameters`
    : greatest === least ? grouped(least) : `${grouped(least)} to ${grouped(greatest)}`,
  fold: "Repeated parts once",
  foldHelp: "Equal parts that follow each other, such as residual blocks, are drawn once, with their number",
  heat: "Colours by parameters",
  nodes: "Nodes",
  partOf: "Only a part",
  around: "Around the node",
  steps: "Steps",
  draw: "Draw",
  whole: "Draw all",
  groups: "Groups",
  allOpen: "all open",
  someClosed: "some closed",
  level: (parts, count) => `level ${parts}: ${counted(count, "group")} closed`,
  openGroup: "Open the group",
  closeGroup: "Close the group",
  consumers: "Used by",
  more: (count) => `and ${grouped(count)} more`,
  point: "Point at a node, or choose one, to see its details.",
  operator: "Operator",
  inputs: "Inputs",
  params: "Params and constants",
  output: "Output",
  tensor: "Tensor",
  shape: "Shape",
  filter: "Find a tensor",
  weights: "weights only",
  sort: "Sort by",
  ascending: "ascending",
  descending: "descending",
  inFileOrder: "in the order of the file",
  downloadNpy: "Download as npy",
  elements: "Elements",
  noElements: "No elements are selected.",
  slice: "Slice",
  rowAxis: "Rows",
  columnAxis: "Columns",
  noAxis: "none",
  axis: (axis) => `axis ${axis}`,
  form: "Numbers",
  forms: { auto: "shortest", fixed: "fixed point", scientific: "scientific", bits: "bits (hex)" },
  digits: "Digits",
  atByte: (byte) => `byte ${byte}`,
  statistics: "Statistics",
  sumUp: "Compute statistics",
  noNumbers: "The elements are not numbers.",
  numbers: {
    count: "Numbers", min: "Minimum", max: "Maximum", mean: "Mean", deviation: "Standard deviation",
    zero: "Zeros", nan: "NaN", positive: "+∞", negative: "−∞",
  },
  histogram: (min, max) => `Histogram of the finite numbers from ${min} to ${max}`,
  chooseOther: "Choose the other file …",
  compareLead: "Compare the open file with another one, by path; tensors also across formats.",
  same: "No differences.",
  differences: (count) => counted(count, "difference"),
  changes: { removed: "only in the first", added: "only in the second", changed: "changed", elements: "different elements" },
  tensorCount: (count) => counted(count, "tensor"),
};

const zh: Words = {
  columns: { range: "字节", place: "部分", kind: "种类", value: "值" },
  widthOf: (column) => `列宽：${column}`,
  divider: "字节区的大小",
  bytes: "字节",
  parts: "部分",
  leftOut: "… 已省略",
  help: "指向一个字节可看到它属于哪一部分；点击一个部分可标出它的字节。按键：方向键、Page Up/Down、Home、End；/ 查找，Enter 下一个，Esc 取消。",
  items: (count) => `${count} 项`,
  kind: chineseKind,
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
  noPart: (path) => `没有路径为 ${oneLine(path)} 的部分`,
  errorAt: (byte, error) => `字节 ${byte}：${chinese(error) ?? error}`,
  errorText: (error) => chinese(error) ?? error,
  moreErrors: (count) => `另有 ${count} 处`,
  language: "zh",
  message: chinese,
  messageOfFile: chineseOfFile,
  report: chineseReport,
  other: "English",
  title: "fourfold",
  lead: "查看 Molecule、biniou、tsm 和 primitiv 文件的内容。",
  drop: "把文件拖到这里，或打开一个文件。",
  stays: "文件只在本机读取，不会上传：此页面无法发送任何数据。",
  formats: "也能读取 safetensors、npz 和 npy 中的张量。打开文件后再拖入 .mol 或 .atd 模式文件，即可看到名称和类型。",
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
  stopped: "读取器意外中止：文件可能需要超出页面上限的内存，或者是查看器的错误。请用命令 `fourfold` 读取此文件。",
  noMemory: "文件太大：一个页面最多使用 4 GiB 内存，有些机器上更少。请用命令 `fourfold` 读取此文件。",
  tooLong: "文件太大：网页查看器只能读取小于 4 GiB 的文件。请用命令 `fourfold` 读取此文件。",
  close: "关闭文件",
  format: "格式",
  unknown: "未知",
  undetermined: "无法识别文件格式。下面列出各读取器的结果。",
  looksLike: (name) => `看起来像 ${name}。`,
  size: "大小",
  byteCount: (count) => `${count} 字节`,
  state: "状态",
  good: "完好",
  damaged: "已损坏",
  unchecked: "没有模式，无法检查",
  openSchema: "打开模式…",
  notRead: (count) => `${count} 字节的张量内容在需要时才读取`,
  suspicions: "可疑之处",
  evidence: "为何是这种格式",
  confidences: { unfit: "不匹配", possible: "可能", damaged: "已损坏", fits: "匹配", agrees: "高度匹配", signed: "有文件签名" },
  inside: "内容",
  type: "类型",
  noType: "无",
  fittingTypes: "匹配的类型",
  otherTypes: "其他类型",
  typeNote: (note) => {
    switch (note.kind) {
      case "only": return `只有 ${oneLine(note.ty)} 匹配。`;
      case "first": return `有 ${grouped(note.fitting.length)} 个类型匹配，${oneLine(note.ty)} 是其中第一个。`;
      case "none": return note.is_requested
        ? `文件不是 ${oneLine(note.ty)} 类型，因此不按类型显示。`
        : `模式中没有匹配的类型，因此不按类型显示。最接近的是 ${oneLine(note.ty)}。`;
      case "other_format": return `模式用于 ${note.of_schema}，而此文件可读作 ${note.format}。`;
      case "empty": return "模式中没有类型。";
    }
  },
  doesNotFit: "与模式不符",
  names: "名称",
  dropSchema: "从文件取得名称或类型…",
  schemaTaken: (name) => `名称和类型来自 ${name}。`,
  schemaWaits: (name) => `下一个打开的文件将使用 ${name}。`,
  dropWaiting: "不使用",
  downloads: "下载为",
  showByte: "显示该字节",
  showBytes: "显示其字节",
  partsSummary: (parts, errors) => `${grouped(parts)} 个部分，${grouped(errors)} 处错误`,
  rowsFull: (leftOut, byte) => `部分太多：从字节 ${byte} 起有 ${leftOut} 个部分未显示，错误附近的除外。`,
  rowsUnseen: (byte) => `字节 ${byte} 之后的部分和错误没有计入。`,
  rowsFrom: (byte) => `从字节 ${byte} 起的部分。`,
  goOn: "显示后面的部分",
  fromStart: "从头开始",
  jsonShort: (shown) => `只显示文本的前 ${shown} 字节。下载的文件是完整的。`,
  findNode: "查找节点",
  zoomIn: "放大",
  zoomOut: "缩小",
  fit: "显示全部",
  graphHelp: "按键：方向键沿连线移动，Page Up/Down 逐个经过节点，+ 和 - 缩放，0 显示全部。拖动或滚动可移动，Ctrl 加滚轮可缩放。",
  families: "算子的颜色",
  family: {
    data: "数据", convolution: "卷积", pooling: "池化", activation: "激活",
    normalisation: "归一化", shape: "形状变换", arithmetic: "算术", other: "其他",
  },
  parameters: (least, greatest) => least === 0 ? "无参数"
    : greatest === null ? `${grouped(least)} 个参数及以上`
    : greatest === least ? grouped(least) : `${grouped(least)} 到 ${grouped(greatest)}`,
  fold: "重复部分只画一次",
  foldHelp: "前后相接的相同部分（如残差块）只画一次，并标出次数",
  heat: "按参数量着色",
  nodes: "节点",
  partOf: "只看一部分",
  around: "围绕节点",
  steps: "步数",
  draw: "绘制",
  whole: "绘制全部",
  groups: "分组",
  allOpen: "全部展开",
  someClosed: "部分折叠",
  level: (parts, count) => `第 ${parts} 层：折叠 ${grouped(count)} 组`,
  openGroup: "展开此组",
  closeGroup: "折叠此组",
  consumers: "使用者",
  more: (count) => `另有 ${grouped(count)} 个`,
  point: "指向或选择一个节点，可查看其详细信息。",
  operator: "算子",
  inputs: "输入",
  params: "参数和常量",
  output: "输出",
  tensor: "张量",
  shape: "形状",
  filter: "查找张量",
  weights: "仅权重",
  sort: "排序",
  ascending: "升序",
  descending: "降序",
  inFileOrder: "按文件中的顺序",
  downloadNpy: "下载为 npy",
  elements: "元素",
  noElements: "没有选中任何元素。",
  slice: "切片",
  rowAxis: "行",
  columnAxis: "列",
  noAxis: "无",
  axis: (axis) => `轴 ${axis}`,
  form: "数值",
  forms: { auto: "最短", fixed: "定点", scientific: "科学计数法", bits: "位（十六进制）" },
  digits: "小数位",
  atByte: (byte) => `字节 ${byte}`,
  statistics: "统计",
  sumUp: "计算统计",
  noNumbers: "元素不是数值。",
  numbers: {
    count: "个数", min: "最小值", max: "最大值", mean: "平均值", deviation: "标准差",
    zero: "零", nan: "NaN", positive: "+∞", negative: "−∞",
  },
  histogram: (min, max) => `有限数值的直方图，从 ${min} 到 ${max}`,
  chooseOther: "选择另一个文件…",
  compareLead: "按路径比较打开的文件和另一个文件；张量也可跨格式比较。",
  same: "没有差异。",
  differences: (count) => `${grouped(count)} 处差异`,
  changes: { removed: "仅在第一个中", added: "仅在第二个中", changed: "已改变", elements: "元素不同" },
  tensorCount: (count) => `${grouped(count)} 个张量`,
};

export const LANGUAGES = { en, zh };
export type Language = keyof typeof LANGUAGES;

/** The first supported language of the browser's list. */
export function preferred(languages: readonly string[]): Language {
  for (const language of languages) {
    if (language.startsWith("zh")) return "zh";
    if (language.startsWith("en")) return "en";
  }
  return "en";
}
