// Values of parts in Chinese: the words around quoted text and numbers.
const WORDS: [RegExp, string][] = [
  [/^zeros$/, "全为零"],
  [/^shared$/, "共享"],
  [/^integer (?=-?\d)/, "整数 "],
  [/^marker of (.+?)(?= \(|$)/, "$1 的标记"],
  [/^(str|bin) of (\d+) bytes?$/, "$2 字节的 $1"],
  [/^(array|map) of (\d+)$/, "$2 项的 $1"],
  [/^items (\d+) to (\d+), /, "元素 $1 到 $2，"],
  [/^(\d+) items? of (\d+) bytes?/, "$1 个元素，每个 $2 字节"],
  [/, which may hold a value$/, "，可能含有值"],
  [/^(\d+) bytes? back(?=:|$)/, "向前 $1 字节"],
  [/: shared value (\d+), at byte (\d+)$/, "：共享值 $1，位于字节 $2"],
  [/: here, as number (\d+)$/, "：在此处，编号 $1"],
  [/: item (\d+)(?=,|$)/, "：元素 $1"],
  [/: field (\d+), which the type has not/, "：字段 $1，类型中没有"],
  [/, at byte (\d+)(?=,|$)/, "，位于字节 $1"],
  [/, after the end$/, "，超出末尾"],
  [/, no bytes$/, "，没有字节"],
  [/, as a number (?=\d)/, "，作为数值 "],
  [/, an argument follows$/, "，后面有参数"],
  [/, no argument$/, "，没有参数"],
  [/, (\d+) bytes? longer than need be$/, "，比所需长 $1 字节"],
  [/^(0x[\da-f]+), not (0x[\da-f]+)$/, "$1，应为 $2"],
  [/^(\S+) of (\d+) dims, /, "$2 维的 $1，"],
  // Tensors: the type, the shape and the number of bytes.
  [/(?<=[\]\d]), (\d+) bytes?(?=: |$)/, "，$1 字节"],
  [/(?<=^|，)(\d+) bytes?(?=: |$)/, "$1 字节"],
  [/^ \((\d+) bytes?\)$/, "（$1 字节）"],
  [/^(.*…) \((\d+) bytes?\)$/, "$1（$2 字节）"],
];

/** A value in Chinese. Text in quotation marks is from the file and stays as it is. */
export function chineseValue(value: string): string {
  const [, before = "", quoted = "", after = ""] = /^([^"]*)(".*")?([^"]*)$/s.exec(value) ?? [, value];
  const inWords = (part: string): string => WORDS.reduce((text, [pattern, words]) => text.replace(pattern, words), part);
  return inWords(before.replace(/: $/, "")) + (quoted && before.endsWith(": ") ? "：" : "") + quoted + inWords(after);
}
