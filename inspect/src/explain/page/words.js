/**
 * The texts of the panes.
 * @typedef {{
 *   columns: {range: string, place: string, kind: string, value: string}, widthOf: (column: string) => string,
 *   divider: string,
 *   bytes: string, parts: string, leftOut: string, help: string,
 *   items: (count: number) => string, kind: (english: string, types?: string[]) => string, value: (english: string) => string,
 *   find: string, among: string, kinds: {rows: string, hex: string, text: string},
 *   previous: string, next: string, closeAll: string, openAll: string, asList: string,
 *   hexWanted: string, notFound: string, hit: (at: number, of: string) => string,
 *   noPart: (path: string) => string,
 *   errorAt: (byte: number, error: string) => string, errorText: (error: string) => string, moreErrors: (count: number) => string,
 * }} DumpWords
 */

/** @type {DumpWords} */
export const english = {
  columns: { range: "Bytes", place: "Part", kind: "Kind", value: "Value" },
  widthOf: (column) => `Width of the column ${column}`,
  divider: "Size of the bytes",
  bytes: "Bytes",
  parts: "Parts",
  leftOut: "… left out",
  help: "Point at a byte to see its part; click a part to mark its bytes. Keys: arrows, Page Up and Page Down, Home and End; / to search, Enter for the next hit, Esc to clear.",
  kind: (english) => english,
  value: (english) => english,
  items: (count) => (count === 1 ? "1 item" : `${count} items`),
  find: "Find",
  among: "in",
  kinds: { rows: "paths, kinds, values", hex: "bytes (hex)", text: "bytes (text)" },
  previous: "Previous",
  next: "Next",
  closeAll: "Close all",
  openAll: "Open all",
  asList: "as a list",
  hexWanted: "two digits 0 to f for each byte",
  notFound: "not found",
  hit: (at, of) => `${at} of ${of}`,
  noPart: (path) => `no part has the path ${path}`,
  errorAt: (byte, error) => `byte ${byte}: ${error}`,
  errorText: (error) => error,
  moreErrors: (count) => `and ${count} more`,
};
