// The texts of the web viewer, which each language has. A text that is missing in one of them is a type error.
import type { DumpWords } from "../../inspect/src/explain/page/words.js";
import type { Cost, Family, TypeNote } from "./protocol.ts";

export interface Words extends DumpWords {
  language: string;
  /** Between a name or a state, and what is said of it. */
  colon: string;
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
  /** What colours show. */
  colours: string;
  colour: Record<"families" | Cost, string>;
  /** A step of the colours. */
  step: Record<Cost, (least: number, greatest: number | null) => string>;
  costs: Record<Cost, string>;
  unknownNumber: string;
  /** A line in a box, or the value of a param, with words of the library. */
  inBox: (english: string) => string;
  inputShapes: string;
  /** The field for the shape of an input. */
  asStated: (shape: string) => string;
  inputShapesHelp: string;
  compute: string;
  fold: string;
  foldHelp: string;
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
  /** Graphs in attributes of nodes. */
  openGraph: (attribute: string) => string;
  mainGraph: string;
  graphsAround: string;
  lacksTypes: string;
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
