import { basename } from "node:path"
import * as Release from "../core/release.ts"

/** How a command line begins. In a checkout nothing is installed, and start.mjs runs the programs. */
export const program = basename(process.argv[1] ?? "") === "start.mjs" ? "npm run cli --" : Release.name
