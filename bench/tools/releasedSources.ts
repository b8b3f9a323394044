// `npm run release:sources` keeps the digest of a release's sources, once: from then on other sources need another version.
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Release from "../../core/release.ts"

/** SHA-256 of the released sources by version; `npm run release:sources` writes it. */
export const releases = new URL("../../test/fixtures/releases.json", import.meta.url)

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
  const newest = Object.keys(released).at(-1)
  if (newest === undefined) return version.endsWith("-dev") ? undefined : `${version} is no release.`
  const [major, minor] = newest.split(".").map(Number)
  const next = `${major}.${minor! + 1}.0-dev`
  if (released[version] === digest || version === next) return undefined
  if (released[version] === undefined) return `${version} is no release, and after ${newest} comes ${next}.`
  return `The sources are not those of the release ${version}: their version is ${next}.`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version } = Release
  const released: Readonly<Record<string, string>> = JSON.parse(readFileSync(releases, "utf8"))
  const refusal = /^\d+\.\d+\.\d+$/.test(version)
    ? released[version] && `The sources of ${version} are kept already: a release is written once.`
    : `${version} is the version of no release.`
  if (refusal !== undefined) {
    process.stderr.write(`${refusal} Raise the version first.\n`)
    process.exit(1)
  }
  const digest = digestOfSources(fileURLToPath(new URL("../..", import.meta.url)))
  writeFileSync(releases, `${JSON.stringify({ ...released, [version]: digest }, null, 2)}\n`)
}
