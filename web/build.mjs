// Builds the web viewer: a single HTML file that needs no server.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { targetDirectory } from "./cargo.mjs";

// The scripts import the generated bindings, so their path is fixed, whatever target directory cargo uses.
const BIND = "target/bind";
const WASM = `${BIND}/fourfold_web_bg.wasm`;

process.chdir(fileURLToPath(new URL(".", import.meta.url)));

function cargo(...parts) {
  execFileSync("cargo", parts, { stdio: "inherit" });
}

/** Example files are deflated before they become base64, in which their repetitions are hard to find. */
const examples = {
  name: "examples",
  setup: (build) => build.onLoad({ filter: /[\\/]fixtures[\\/]/ }, ({ path }) => (
    { contents: deflateRawSync(readFileSync(path), { level: 9 }), loader: "binary" })),
};

/** A script bundled with its imports. */
async function bundled(entry, format) {
  const made = await build({
    entryPoints: [entry],
    bundle: true,
    format,
    minify: true,
    charset: "utf8",
    target: "es2023",
    write: false,
    legalComments: "none",
    plugins: [examples],
  });
  // Inside HTML, `</script` would end the script.
  return made.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

if (!process.argv.includes("--page")) {
  cargo("build", "--locked", "--release", "--target", "wasm32-unknown-unknown", "--package", "fourfold-web");
  const built = join(targetDirectory(new URL(".", import.meta.url)), "wasm32-unknown-unknown/release/fourfold_web.wasm");
  cargo("run", "--quiet", "--locked", "--package", "fourfold-web-bind", "--", built, BIND);
  // A tenth smaller than what the compiler writes. The second pass finds what the first one has left. The features are
  // those that the compiler uses.
  const features = ["bulk-memory", "sign-ext", "mutable-globals", "nontrapping-float-to-int", "reference-types", "multivalue"];
  const enabled = features.map((feature) => `--enable-${feature}`);
  execFileSync(process.execPath, ["node_modules/binaryen/bin/wasm-opt", "-Os", "-Oz", ...enabled, WASM, "-o", WASM]);
}

const script = await bundled("page/main.ts", "esm");
const worker = await bundled("page/worker.ts", "iife");
const styles = ["../inspect/src/explain/page/dump.css", "page/style.css"];
const style = styles.map((path) => readFileSync(path, "utf8")).join("");
const wasm = deflateRawSync(readFileSync(WASM), { level: 9 }).toString("base64");
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "worker-src blob:",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types fourfold",
].join("; ");
const slots = { policy, style, wasm, worker, script };
const page = readFileSync("page/page.html", "utf8").replace(/\{\{(\w+)\}\}/g, (_, slot) => slots[slot]);
mkdirSync("dist", { recursive: true });
writeFileSync("dist/index.html", page);
console.log(`dist/index.html: ${Buffer.byteLength(page)} bytes, ${gzipSync(page, { level: 9 }).length} compressed`);
