// Messages of the library in Chinese, by kind: numbers, paths and offsets are filled in.
import { KINDS } from "./kinds.ts";
import { OF_CONTAINERS } from "./messages-of-containers.ts";
import { OF_FORMATS } from "./messages-of-formats.ts";
import { OF_ONNX } from "./messages-of-onnx.ts";
import { OF_REPORTS } from "./messages-of-reports.ts";
import { OF_SCHEMAS } from "./messages-of-schemas.ts";
import { OF_SHAPES } from "./messages-of-shapes.ts";

// In the first text, `{}` is anything, `{n}` is a number, and `(s)` may be missing. In the second, `{0}` is the first of these as it is,
// `{=0}` the same translated, and `{~0}` the same translated if it is a message.
const TEMPLATES: [string, string][] = [
  ["node \"{}\" ({}): {}", "节点“{0}”（{1}）：{~2}"],
  ["{}; inputs: {}", "{=0}；输入：{1}"],
  // All formats.
  ["input ends early: {} byte(s) needed, {} left", "输入提前结束：需要 {0} 字节，只剩 {1} 字节"],
  ["{n} trailing byte(s)", "末尾多出 {0} 字节"],
  ["invalid utf-8", "不是有效的 UTF-8"],
  ["invalid UTF-8", "不是有效的 UTF-8"],
  ["nested deeper than {} level(s)", "嵌套超过 {0} 层"],
  ["input is longer than {} byte(s)", "输入超过 {0} 字节"],
  ["bool is {}, neither 0 nor 1", "bool 为 {0}，应为 0 或 1"],
  ["unknown variant {}", "未知的变体 {0}"],
  ["the schema has no type `{}`", "模式中没有类型 {0}"],
  ["the schema has no type `{}` (did you mean `{}`?)", "模式中没有类型 {0}（是否为 {1}？）"],
];

// The words of lines of a report that begin with names from the file: only the ends of these lines are translated.
const ENDS: [RegExp, string][] = [
  [/ {2}type and shape not given$/, "  类型和形状未给出"],
  [/, shape not given$/, "，形状未给出"],
  [/, type not given$/, "，类型未给出"],
  [/( {2}(?:list|dict) +)empty$/, "{0}空"],
  [/( +[\d,]+) bytes?$/, "{0} 字节"],
  [/( {2}[\d,]+) multiply-adds?$/, "{0} 次乘加"],
  [/( {2}[\d,]+) multiply-adds?, ([\d,]+) parameters?$/, "{0} 次乘加，{1} 个参数"],
  [/( {2}[\d,]+) parameters?$/, "{0} 个参数"],
  [/^ {2}and ([\d,]+) more values?$/, "  另有 {0} 个值"],
  [/ {2}\(([\d,]+) times?\)$/, "  （{0} 次）"],
  [/ {2}\(in ([\d,]+) of ([\d,]+)\)$/, "  （{1} 个中的 {0} 个）"],
];

interface Template { fact: RegExp; text: string }

function compiled([english, chinese]: [string, string]): Template {
  const pattern = english
    .replace(/[.*+?^$|[\]\\]/g, "\\$&")
    .replace(/\(s\)/g, "\u0000")
    .replaceAll("{}", "\u0001")
    .replaceAll("{n}", "\u0002")
    .replace(/[(){}]/g, "\\$&")
    .replaceAll("\u0000", "s?")
    .replaceAll("\u0001", "(.+?)")
    .replaceAll("\u0002", "([\\d,]+)");
  return { fact: new RegExp(`^${pattern}$`, "s"), text: chinese };
}

const ALL = [...TEMPLATES, ...OF_FORMATS, ...OF_CONTAINERS, ...OF_REPORTS, ...OF_SHAPES, ...OF_SCHEMAS, ...OF_ONNX].map(compiled);
const ALL_KINDS = KINDS.map(compiled);

/** A fact without its place. */
function ofFact(fact: string): string | undefined { return filledIn(ALL, fact, chinese); }

/** The kind of a part in Chinese; a name of one of the types, or of the format, as it is. */
export function chineseKind(kind: string, types: string[] = []): string {
  const word = (part: string): string | undefined => types.includes(part) ? undefined : filledIn(ALL_KINDS, part, () => undefined);
  return types.includes(kind) ? kind : filledIn(ALL_KINDS, kind, word) ?? kind;
}

/** The text of the first template that fits. */
function filledIn(templates: Template[], fact: string, translate: (part: string) => string | undefined): string | undefined {
  for (const { fact: pattern, text } of templates) {
    const found = pattern.exec(fact);
    if (!found) continue;
    let isWhole = true;
    const filled = text.replace(/\{([=~]?)(\d)\}/g, (_, kind: string, number: string) => {
      const part = found[Number(number) + 1] ?? "";
      const translated = kind === "" ? part : translate(part);
      if (translated === undefined && kind === "=") isWhole = false;
      return translated ?? part;
    });
    if (isWhole) return filled;
  }
  return undefined;
}

/** Longer messages contain names of a hostile file, and comparing takes more than linear time. */
const LONGEST = 600;

/** A message in Chinese, with its path and byte; `undefined` if there is no text for it. */
export function chinese(message: string): string | undefined {
  if (message.length > LONGEST) return undefined;
  const [, before = "", byte, count, chunks, line, column] =
    /^(.*?)(?: at byte (\d+))?(?:, after (\d+) values?|(, in a stream of chunks)| at line (\d+), column (\d+))?$/s.exec(message) ?? [];
  const places = [line !== undefined && `第 ${line} 行第 ${column} 列`, byte !== undefined && `字节 ${byte}`, count !== undefined && `在 ${count} 个值之后`, chunks !== undefined && "在块的流中"];
  const put = (fact: string, path?: string): string => {
    const place = [path, ...places].filter((one) => typeof one === "string").join("，");
    return place === "" ? fact : `${fact}（${place}）`;
  };
  // The path follows the fact, and either can contain the word.
  for (let at = before.indexOf(" in "); at >= 0; at = before.indexOf(" in ", at + 1)) {
    const fact = ofFact(before.slice(0, at));
    if (fact !== undefined) return put(fact, before.slice(at + 4));
  }
  const fact = ofFact(before);
  return fact === undefined ? undefined : put(fact);
}

/** The same for a message that may begin with the name of a file. */
export function chineseOfFile(message: string): string | undefined {
  const whole = chinese(message);
  if (whole !== undefined) return whole;
  for (let at = message.indexOf(": "); at >= 0; at = message.indexOf(": ", at + 1)) {
    const text = chinese(message.slice(at + 2));
    if (text !== undefined) return `${message.slice(0, at)}：${text}`;
  }
  return undefined;
}

// Words of the library in lines of boxes and in values of params.
const IN_BOXES: [RegExp, string][] = [
  [/^input(?=$|, )/, "输入"],
  [/^output(?=$| \d+$)/, "输出"],
  [/^<param>, not an input$/, "<param>，不是输入"],
  [/^initializer$/, "初始值"],
  [/^outer value$/, "外层的值"],
  [/^([\d,]+) nodes?$/, "$1 个节点"],
  [/\bgraph of ([\d,]+) nodes?/g, "$1 个节点的图"],
  [/^\(no operator\)$/, "（没有算子）"],
  [/^and ([\d,]+) more$/, "另有 $1 个"],
  [/ and ([\d,]+) more$/, "，另有 $1 个"],
  [/^no tensor$/, "没有张量"],
  [/ of shape (?=\[)/, "，形状 "],
  [/(?<=^| )without a value$/, "没有值"],
  [/(?<=^| )that of (?=\S)/, "同外层的 "],
  [/(?<=^| )sparse$/, "稀疏"],
  [/(?<=^| )of a kind without a text$/, "无法显示"],
  [/^([\d,]+) multiply-adds?, /, "$1 次乘加，"],
  [/^([\d,]+) parameters?, /, "$1 个参数，"],
];

/** A line in Chinese that has words of the library. */
export function chineseInBox(line: string): string {
  const [pattern, text] = IN_BOXES.find(([pattern]) => line.search(pattern) >= 0) ?? [];
  return pattern === undefined ? line : line.replace(pattern, text ?? "");
}

/** A report in Chinese. Names and values from the file stay as they are. */
export function chineseReport(report: string): string {
  return report.split("\n").map((line, at) => (at === 0 ? heading(line) : ofLine(line))).join("\n");
}

/** The first line of a report: the file, what it is, and its length. */
function heading(line: string): string {
  const [, name, what = "", bytes] = /^(.*): ([^:]+), ([\d,]+) bytes?$/s.exec(line) ?? [];
  if (name === undefined) return line;
  return `${name}：${ofFact(what) ?? what}，${bytes} 字节`;
}

function ofLine(line: string): string {
  const [, blanks = "", text = ""] = /^( *)(.*)$/s.exec(line) ?? [];
  // Lines of a table begin with blanks; others have the words of the report.
  if (blanks === "" || text.startsWith("can be: ") || text.startsWith("begins with ")) {
    const whole = ofFact(text);
    if (whole !== undefined) return blanks + whole;
  }
  const [, count, severity, example, diagnostic = ""] = /^( *[\d,]+ {2})(suspicious|refused)(, for example)? +(.*)$/s.exec(line) ?? [];
  if (count !== undefined) {
    const kind = severity === "refused" ? "拒绝" : "可疑";
    return `${count}${kind}${example === undefined ? "" : "，例如"}  ${chinese(diagnostic) ?? diagnostic}`;
  }
  // A binary of a package, and what is in it.
  const [, binary, bytes = "", content = ""] = /^( {2}.* {2}binary +)([\d,]+) bytes?: (.*)$/.exec(line) ?? [];
  if (binary !== undefined) return `${binary}${bytes} 字节：${chinese(content) ?? content}`;
  // A node, its numbers, and why its shape is unknown.
  const [, node, numbers = "", reason = ""] = /^(.*  )([\d,]+ parameters?, )?(\D.*)$/s.exec(line) ?? [];
  // One word can be a name.
  const why = node === undefined || !reason.includes(" ") ? undefined : ofFact(reason);
  if (why !== undefined) return `${node}${numbers.replace(/ parameters?, /, " 个参数，")}${why}`;
  // A tensor that cannot be read, and why.
  const [, tensor, cause = ""] = /^( {2}\S.*?): (.*)$/.exec(line) ?? [];
  const known = tensor === undefined || !cause.includes(" ") ? undefined : ofFact(cause);
  if (known !== undefined) return `${tensor}：${known}`;
  const outline = line.replace(/(?<=^ *|: | of |\d )(array|table) of ([\d,]+)(?: to ([\d,]+))?( rows?)?(?= |$)/g,
    (_, what: string, least: string, most?: string, rows?: string) =>
      `${what}（${least}${most === undefined ? "" : ` 到 ${most}`} ${rows === undefined ? "项" : "行"}）`);
  if (outline !== line) return outline;
  for (const [end, now] of ENDS) {
    if (end.test(line)) return line.replace(end, (...found: string[]) => now.replace(/\{(\d)\}/g, (_, number: string) => found[Number(number) + 1] ?? ""));
  }
  return line;
}
