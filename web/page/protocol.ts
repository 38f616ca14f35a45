// The messages between the application and its worker.

export type Call =
  | { call: "open"; file: File }
  | { call: "takeSchema"; name: string; text: string }
  | { call: "chooseType"; name: string | undefined }
  | { call: "summary" }
  | { call: "rows"; offset: number }
  | { call: "json" }
  | { call: "graph"; selection: Selection }
  | { call: "graphPart"; area: { left: number; top: number; right: number; bottom: number } }
  | { call: "graphSvg"; selection: Partial<Selection> }
  | { call: "findBoxes"; text: string }
  | { call: "boxInside"; position: number }
  | { call: "box"; at: number }
  | { call: "tensors" }
  | { call: "numbers"; index: number }
  | { call: "axes"; index: number; slice: string }
  | { call: "elements"; index: number; wanted: Wanted }
  | { call: "convert"; target: Target; index: number | undefined }
  | { call: "diff"; other: File };

export type ToWorker = { module: WebAssembly.Module } | ({ id: number } & Call);

export type FromWorker =
  | { id: number; value: unknown }
  | { id: number; error: string }
  | { id: number; done: number; all: number };

export interface Facts { format: string; confidence: string; words: string[] }

/** How the type of a file was selected, or why it has none. */
export type TypeNote =
  | { kind: "only"; ty: string; fits_both: boolean }
  | { kind: "first"; ty: string; fitting: string[]; fits_both: boolean }
  | { kind: "none"; ty: string; at: number; error: string; is_requested: boolean }
  | { kind: "other_format"; format: string; of_schema: string; closest: [type: string, error: string] | null }
  | { kind: "empty" };

export interface Summary {
  length: number;
  left: number;
  format: string | null;
  undetermined: string | null;
  evidence: Facts[];
  is_good: boolean;
  is_checked: boolean;
  /** Whether a file with names or types would change what is shown. */
  takes_schema: boolean;
  verdict: string;
  suspicions: string[];
  report: string;
  ty: string | null;
  types: string[];
  fitting: string[];
  note: TypeNote | null;
  has_graph: boolean;
  has_tensors: boolean;
  has_json: boolean;
}

export interface RowsAbout {
  rows: number;
  texts: number;
  length: number;
  parts: number;
  errors: number;
  start: number;
  end: number;
  full: number | null;
  left_out: number;
  unseen: number | null;
}

export interface PackedRows { about: RowsAbout; stream: Uint8Array }

/** A family of operators. */
export type Family = "data" | "convolution" | "pooling" | "activation" | "normalisation" | "shape" | "arithmetic" | "other";

/** A number of an operator that colours can show. */
export type Cost = "parameters" | "multiply_adds";

/** The meaning of a colour: a family, or a step of the heat. Colours are pairs: light, dark. */
export interface Shade {
  /** The class of its boxes: the family, or `heat` and the step. */
  name: string;
  /** The least number of a step, and the greatest one, which the last step does not have. */
  range: [number, number | null] | null;
  fill: [string, string];
  border: [string, string];
}

/** What is drawn of a graph. */
export interface Selection {
  /** Only the nodes within so many steps of those of this name. */
  around: string | undefined;
  steps: number;
  /** The groups that are one box each. */
  closed: string[];
  /** Whether equal parts that follow each other are drawn once. */
  is_folded: boolean;
  /** The path of a graph in an attribute of an ONNX model, to draw that one. */
  subgraph: string | undefined;
  /** What colours show instead of families. */
  heat: Cost | undefined;
  /** The shapes of the inputs; empty for those in the file. */
  shapes: string[];
  /** The box or group to begin at. */
  focus: string | undefined;
}

export interface Graph {
  summary: string;
  width: number;
  height: number;
  /** The box to begin at. */
  first: number;
  /** The meanings of the colours. */
  shades: Shade[];
  /** The groups whose name has one part, two parts, ... */
  levels: string[][];
  /** The inputs of a module, with their types and shapes in the file; none for other models. */
  inputs: { name: string; shape: string }[];
  /** Whether types and shapes are not in the file, but can be inferred. */
  lacks_types: boolean;
  /** For each box: left, top, width, height, position of its shade. */
  numbers: Float32Array;
  /** Both ends of each line. */
  lines: Float32Array;
  /** The source and target box of each connection. */
  wires: Uint32Array;
}

/** The name of a box in a closed group, and the groups that contain it. */
export interface Inside { name: string; groups: string[] }

/** The other end of a connection. */
export interface End { name: string; at: number | null; output: string }

/** A text, and whether it has words of the library. */
export interface Text { text: string; is_own: boolean }

/** A graph in an attribute of a node. */
export interface Inner { attribute: string; path: string }

export interface Box {
  name: string;
  head: Text;
  output: string;
  /** For operators and groups, as far as they are known. */
  parameters: number | null;
  multiply_adds: number | null;
  /** Why its shape is unknown. */
  unknown: string | null;
  inputs: End[];
  consumers: End[];
  params: { name: string; what: Text; offsets: number[] }[];
  groups: string[];
  /** The name of the closed group that it is. */
  group: string | null;
  graphs: Inner[];
}

export interface Tensor {
  name: string;
  dtype: string;
  shape: number[];
  bytes: number;
  offset: number | null;
  is_weight: boolean;
  has_numbers: boolean;
}

/** A container that tensors are written to; npy has one. */
export type Target = "safetensors" | "npz" | "npy";

/** The indices of an axis that a slice selects: `start`, `start + step`, and so on. */
export interface Axis { start: number; step: number; count: number }

/** A window of the elements that a slice selects. Axes other than rows and columns have one place. */
export interface Wanted {
  slice: string;
  /** The place in each axis of the slice; the first row and column. */
  places: number[];
  rows: number | null;
  columns: number | null;
  height: number;
  width: number;
  form: string;
  digits: number;
}

/** The elements of a window, row by row, and the offset of the first one in the file. */
export interface Elements { texts: string[]; offset: number | null }

export interface Numbers {
  statistics: {
    count: number;
    nan: number;
    positive_infinity: number;
    negative_infinity: number;
    zero: number;
    min: number | null;
    max: number | null;
    mean: number | null;
    deviation: number | null;
  };
  histogram: { min: number; max: number; counts: number[] } | null;
}

export interface Difference {
  path: string;
  kind: "removed" | "added" | "changed";
  old?: string;
  new?: string;
  tensor?: string;
  /** By how much elements of tensors differ. */
  [apart: string]: unknown;
}

export interface Differences { equal: boolean; differences: Difference[] }
