// Starts the server from its sources: bundles them anew at every start, so that nothing old is ever served.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { bundle, elsewhere } from "./bundle.mjs"

const folder = mkdtempSync(join(tmpdir(), "market-signals-start-"))
try {
  await bundle(["server"], folder, elsewhere)
  // Stack traces name the sources.
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(join(folder, "server.js")).href)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
