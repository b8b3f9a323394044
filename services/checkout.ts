import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Release from "../core/release.ts"

/** The folder of the checkout that a file is in; undefined for a file of the installed package. */
const findCheckout = (file: string): string | undefined => {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json")
    if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, "utf8")).name !== Release.name) continue
    // The package has no sources.
    return existsSync(join(folder, "services/start.mjs")) ? folder : undefined
  }
  return undefined
}

/** The folder of the checkout that this program runs from; undefined for the installed package. */
export const ownCheckout = (): string | undefined => {
  // The bundle of a checkout may be elsewhere, as where node_modules is a link.
  const isStarted = basename(process.argv[1] ?? "") === "start.mjs"
  return findCheckout(isStarted ? process.argv[1]! : fileURLToPath(import.meta.url))
}
