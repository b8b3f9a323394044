import { basename } from "node:path"
import * as Release from "../core/release.ts"

/** What somebody types to run a command: in a checkout start.mjs runs the programs, and nothing is installed. */
export const program = basename(process.argv[1] ?? "") === "start.mjs" ? "npm run cli --" : Release.name
