// Runs a program of this folder from its sources: `server`, or `cli` and its arguments. Other words are the command line's.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { bundled } from "./cache.mjs"

const program = ["server", "cli"].includes(process.argv[2] ?? "server")
  ? (process.argv.splice(2, 1)[0] ?? "server")
  : "cli"
// `npm start -- --port 9000`: the options of serve.
const hasOptions = program === "server" && process.argv.length > 2
if (hasOptions) process.argv.splice(2, 0, "serve")
const folder = await bundled()
// Stack traces name the sources. A command ends before the time that the maps take would be worth it; NODE_OPTIONS can ask
// for them: `NODE_OPTIONS=--enable-source-maps npm run cli`.
if (program === "server") process.setSourceMapsEnabled(true)
await import(pathToFileURL(join(folder, `${hasOptions ? "cli" : program}.js`)).href)
