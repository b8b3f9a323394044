// Writes the typed client, which is not tracked, after an installation and before a start that lacks it. An installation
// without the packages of development has no use for it.
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
if (existsSync(`${root}node_modules/tsx`))
  execFileSync(process.execPath, ["--import", "tsx", "bench/tools/client.ts"], { cwd: root, stdio: "inherit" })
