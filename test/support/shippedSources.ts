import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** SHA-256 of the released sources by version; `npm run release:sources` writes it. */
export const releases = new URL("../fixtures/releases.json", import.meta.url)

const shipped = /\.(tsx?|m?js|json|sql|py)$/
const generated = /\bgenerated\.(ts|py)$|\bpython\/dist\//

/** SHA-256 over the paths and bytes of the sources that are shipped, generated ones left out. */
export const digestOfSources = (root: string): string => {
  const hash = createHash("sha256")
  const files = ["core", "adapters", "services"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  for (const file of files.filter((name) => shipped.test(name) && !generated.test(name)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0")
  }
  return hash.digest("hex")
}

/** Why a program of these sources may not call itself this; undefined: it may. */
export const versionFault = (
  version: string,
  digest: string,
  released: Readonly<Record<string, string>>,
): string | undefined => {
  const newest = Object.keys(released).at(-1)!
  const [major, minor] = newest.split(".").map(Number)
  const next = `${major}.${minor! + 1}.0-dev`
  if (released[version] === digest || version === next) return undefined
  if (released[version] === undefined) return `${version} is no release, and after ${newest} comes ${next}.`
  return `The sources are not those of the release ${version}: their version is ${next}.`
}
