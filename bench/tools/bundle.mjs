// The programs of the compiled package, each in one file in place of the compiler's many; modules for importers stay.
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "../../services/bundle.mjs"

const folder = fileURLToPath(new URL("../../dist/services", import.meta.url))
// The name of a shared file has the hash of its content.
for (const file of readdirSync(folder)) if (file.startsWith("chunk-")) rmSync(join(folder, file))
await bundle(["server", "cli", "mcp"], folder, false)
