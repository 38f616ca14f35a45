// Where cargo builds, which CARGO_TARGET_DIR and its configuration may move.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The target directory of the package or workspace in a folder, which is given by its URL. */
export function targetDirectory(folder) {
  const parts = ["metadata", "--no-deps", "--format-version", "1"];
  const metadata = execFileSync("cargo", parts, { cwd: fileURLToPath(folder), maxBuffer: 1 << 26 });
  return JSON.parse(metadata.toString()).target_directory;
}
