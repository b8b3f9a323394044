import { createRequire } from "node:module"
import type load from "autocannon"

/** What the benches load and compare with, which `npm run test:install` installs. */
export const peers: NodeJS.Require = createRequire(new URL("../test/long/package.json", import.meta.url))

export const autocannon: typeof load = peers("autocannon")
