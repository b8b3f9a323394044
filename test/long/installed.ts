import { createRequire } from "node:module"
import { join } from "node:path"

/** The packages of others that only the long proof has: `npm run test:rest` installs them into this folder. */
export const folder: string = join(import.meta.dirname, "node_modules")

export const require: NodeJS.Require = createRequire(import.meta.url)
