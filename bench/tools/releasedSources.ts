// `npm run release:sources` keeps the digests of a release, once: from then on other sources need another version, and what the
// release fixed for later ones stays: the SQL of its schemas, the parameters and figures of its models.
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { schemas } from "../../adapters/store/schema/migrate.ts"
import { blendT2 } from "../../core/lanes/crypto/distribution.ts"
import { modelName as weatherModel } from "../../core/lanes/weather/signal/outlook.ts"
import * as Release from "../../core/release.ts"
import type { Figures } from "./figures.ts"

export interface Released {
  /** SHA-256 of the sources. */
  readonly sources: string
  /** What later releases keep: SHA-256 by name. */
  readonly baseline: Readonly<Record<string, string>>
}

/** By version, oldest first. */
export type Releases = Readonly<Record<string, Released>>

/** The file of releases, which `npm run release:sources` writes. */
export const releases = new URL("../../test/fixtures/releases.json", import.meta.url)

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The store's schemas by number and engine; parameters and measured figures by model, so that a new model has its own. */
export const makeBaseline = (): Readonly<Record<string, string>> => {
  const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
  const parameters = (file: string, model: string = JSON.parse(read(file)).model_version) =>
    [`parameters of ${model} in ${file}`, sha256(read(file))] as const
  const figures: Readonly<Record<string, Partial<Figures>>> = JSON.parse(read("bench/tools/figures.json"))
  return Object.fromEntries([
    ...schemas.flatMap(({ sqlite, postgres }, index) => [
      [`schema ${index + 1} of SQLite`, sha256(sqlite)] as const,
      [`schema ${index + 1} of PostgreSQL`, sha256(postgres)] as const,
    ]),
    parameters("core/lanes/football/model/model.json"),
    parameters("core/lanes/baseball/model.json"),
    parameters("core/lanes/crypto/model.json", blendT2.version),
    parameters("core/lanes/weather/signal/model.json", weatherModel),
    parameters("core/lanes/weather/signal/change.json", weatherModel),
    ...Object.entries(figures).map(([lane, measured]) => {
      const model = measured.contenders?.at(0)?.name ?? weatherModel
      return [`figures of ${model} in ${lane}`, sha256(JSON.stringify(measured))] as const
    }),
  ])
}

/** What of a release's baseline is not as it was. A model that is no longer there may go; a schema may not. */
export const baselineFaults = (now: Readonly<Record<string, string>>, released: Releases): ReadonlyArray<string> =>
  Object.entries(released).flatMap(([version, { baseline }]) =>
    Object.entries(baseline)
      .filter(([name, digest]) => (now[name] ?? (name.startsWith("schema ") ? undefined : digest)) !== digest)
      .map(([name]) => `${name}: not as it was released with ${version}.`),
  )

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
export const versionFault = (version: string, digest: string, released: Releases): string | undefined => {
  const newest = Object.keys(released).at(-1)
  if (newest === undefined) return version.endsWith("-dev") ? undefined : `${version} is no release.`
  const [major, minor] = newest.split(".").map(Number)
  const next = `${major}.${minor! + 1}.0-dev`
  if (released[version]?.sources === digest || version === next) return undefined
  if (released[version] === undefined) return `${version} is no release, and after ${newest} comes ${next}.`
  return `The sources are not those of the release ${version}: their version is ${next}.`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version } = Release
  const released: Releases = JSON.parse(readFileSync(releases, "utf8"))
  const refusal = /^\d+\.\d+\.\d+$/.test(version)
    ? released[version] && `The sources of ${version} are kept already: a release is written once.`
    : `${version} is the version of no release.`
  if (refusal !== undefined) {
    process.stderr.write(`${refusal} Raise the version first.\n`)
    process.exit(1)
  }
  const sources = digestOfSources(fileURLToPath(new URL("../..", import.meta.url)))
  const all: Releases = { ...released, [version]: { sources, baseline: makeBaseline() } }
  writeFileSync(releases, `${JSON.stringify(all, null, 2)}\n`)
}
