import { Dump } from "./page/dump.js";
import { EmbeddedBytes } from "./page/embedded.js";
import { Rows } from "./page/rows.js";
import { element } from "./page/view.js";
import { english } from "./page/words.js";

// The HTML report: draws the rows and bytes that it embeds.
const about = JSON.parse(document.getElementById("about")?.textContent ?? "");
const rows = new Rows(unpack("rows", about.stream), about);
const dump = new Dump(rows, new EmbeddedBytes(unpack("bytes", about.bytes), rows), english, setAddress);

/** @param {string} name @param {number} length */
function unpack(name, length) {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const block of document.querySelectorAll(`script.${name}`)) {
    const bytes = bytesOf(block.textContent ?? "");
    whole.set(bytes, at);
    at += bytes.length;
    block.remove();
  }
  return whole;
}

/** @param {string} base64 */
function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** @param {string} hash */
function setAddress(hash) {
  // Some browsers do not let a local file change its address.
  try { history.replaceState(null, "", hash); } catch { /* keep the address */ }
}

/** @param {string} id @param {Node[]} parts */
function fill(id, parts) { document.getElementById(id)?.append(...parts); }

document.getElementById("summary")?.replaceChildren(about.summary);
fill("notes", about.notes.map((/** @type {string} */ note) => element("p", "", note)));
const errors = dump.errorList(about.errors);
fill("errors", errors === null ? [] : [errors]);
fill("tools", [dump.tools]);
document.querySelector("main")?.append(dump.panes);
document.querySelector("footer")?.append(dump.status);
dump.start();
performance.mark("first rows"); // For measurements.
document.addEventListener("keydown", (event) => dump.key(event));
window.addEventListener("resize", () => dump.resize());
window.addEventListener("hashchange", () => dump.goTo(location.hash));
dump.goTo(location.hash);
