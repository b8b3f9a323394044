// Bundles the sources, unless they are cached, and runs a program: `server` (the default) or `cli`, to which any other word is passed.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { bundled } from "./cache.mjs"

const [word = "server", ...options] = process.argv.slice(2)
const isServer = word === "server"
const isBare = isServer && options.length === 0
// `npm start -- --port 9000`: the options of serve.
const args = isBare || word === "cli" ? options : [isServer ? "serve" : word, ...options]
process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
const folder = await bundled()
// Stack traces name the sources. Commands are too short to pay for loading source maps; NODE_OPTIONS can ask for them:
// `NODE_OPTIONS=--enable-source-maps npm run cli`.
if (isServer) process.setSourceMapsEnabled(true)
await import(pathToFileURL(join(folder, isBare ? "server.js" : "cli.js")).href)
