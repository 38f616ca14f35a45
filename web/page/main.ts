// Unpacks the embedded data, and starts the application.
import { App } from "./app.ts";
import { inflated } from "./inflate.ts";
import { trusted } from "./trust.ts";

/** The bytes of an embedded block: deflated, in base64. */
function embedded(id: string): Promise<ArrayBuffer> {
  const block = document.getElementById(id);
  const letters = atob(block?.textContent?.trim() ?? "");
  block?.remove();
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return inflated(bytes);
}

let address: string | undefined;

/** The URL of the worker's script. */
function script(): string {
  const text = document.getElementById("worker")?.textContent ?? "";
  address ??= URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return trusted.createScriptURL(address) as string;
}

const root = document.getElementById("app");
if (root) {
  const module = embedded("wasm").then((bytes) => WebAssembly.compile(bytes));
  const app = new App(root, module, script);
  performance.mark("first view"); // Used by measure.mjs.
  void module.then(() => performance.mark("ready"), (error: unknown) => app.showMessage(app.why(error), true));
}
