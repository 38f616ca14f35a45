// The target directory of cargo, which CARGO_TARGET_DIR and cargo's configuration can change.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The target directory of the package or workspace in a folder, given by its URL. */
export function targetDirectory(folder) {
  const parts = ["metadata", "--no-deps", "--format-version", "1"];
  const metadata = execFileSync("cargo", parts, { cwd: fileURLToPath(folder), maxBuffer: 1 << 26 });
  return JSON.parse(metadata.toString()).target_directory;
}
