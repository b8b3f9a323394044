// Maintains the version of the published schemas. After a change of requests or answers, `npm run schemas` writes the
// changelog of the next version. `npm run schemas -- --release` dates that version and makes the current schemas the
// base of the next one. A test compares all of it with the catalogue. From the first release on it refuses a breaking change
// that was not announced for 90 days, and another text of a version that is published.
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Version } from "../../adapters/describe/versions.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { addDays } from "../../core/time.ts"
import { type Change, compare } from "./compare.ts"
import { type Contract, contractOf } from "./surface.ts"

const files = {
  /** The contract of the newest released version, and the digests of all. */
  contract: new URL("../../test/fixtures/contract.json", import.meta.url),
  published: new URL("../../test/fixtures/published.json", import.meta.url),
  changelog: new URL("../../adapters/describe/changelog.json", import.meta.url),
}

const read = <A>(file: URL): A => JSON.parse(readFileSync(file, "utf8")) as A

/** The contract of the newest released version; undefined before the first one. */
export const released = (): Contract | undefined => (existsSync(files.contract) ? read(files.contract) : undefined)

/** Digests of a released version's line of the changelog and of its contract. */
export interface Published {
  readonly changelog: string
  readonly contract: string
}

/** By version, oldest first; empty before the first release. */
export const published = (): Readonly<Record<string, Published>> => read(files.published)

const digest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex")

export const publishedOf = (version: Version, contract: Contract): Published => ({
  changelog: digest(version),
  contract: digest(contract),
})

/** The version after `version`: major if something breaks, else minor. */
const bumped = (version: string, breaking: boolean): string => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return breaking ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`
}

const linesOf = (changes: ReadonlyArray<Change>, kind: Change["kind"]): ReadonlyArray<string> =>
  changes
    .filter((change) => change.kind === kind)
    .map(({ at, what, breaking }) => `\`${at}\` ${what}${breaking ? " (breaking)" : ""}`)

/** The version that these changes require at a release; undefined without changes. */
export const pending = (released: string, changes: ReadonlyArray<Change>): Version | undefined =>
  changes.length === 0
    ? undefined
    : {
        version: bumped(
          released,
          changes.some(({ breaking }) => breaking),
        ),
        added: linesOf(changes, "added"),
        changed: linesOf(changes, "changed"),
        deprecated: linesOf(changes, "deprecated"),
        removed: linesOf(changes, "removed"),
      }

/** The expected changelog, given the current one: all released versions and the next one. */
export const due = (
  standing: ReadonlyArray<Version>,
  base: Contract | undefined,
  now: Contract,
): ReadonlyArray<Version> => {
  const known = standing.filter(({ date }) => date !== undefined)
  // Before the first release nothing can break.
  if (known.length === 0 || base === undefined) return standing
  const next = pending(known[0]!.version, compare(base, now))
  return next === undefined ? known : [next, ...known]
}

/** The changelog with a date on the next version. */
export const dated = (versions: ReadonlyArray<Version>, day: string): ReadonlyArray<Version> =>
  versions.map(({ version, date = day, ...rest }) => ({ version, date, ...rest }))

/** Days for which a deprecation stands before what it announced may happen. */
const noticeDays = 90

/** The operations whose requests or answers have a schema, directly or through others. */
const operationsWith = ({ operations, schemas }: Contract, schema: string): ReadonlyArray<string> => {
  const having = new Set([schema])
  for (const name of having) {
    const ref = `"#/$defs/${name}"`
    for (const [other, value] of Object.entries(schemas)) if (JSON.stringify(value).includes(ref)) having.add(other)
  }
  return Object.entries(operations).flatMap(([at, { input, answer }]) =>
    having.has(input) || having.has(answer) ? [at] : [],
  )
}

/** Whether a version of at least 90 days ago announced an operation's end, which is there. */
const isOver = (standing: ReadonlyArray<Version>, { operations }: Contract, at: string, today: string): boolean => {
  const { sunset } = operations[at]?.deprecation ?? {}
  const announced = standing.filter(({ deprecated }) => deprecated.some((line) => line.startsWith(`\`${at}\` `)))
  const isOld = announced.some(({ date }) => date !== undefined && addDays(date, noticeDays) <= today)
  return isOld && sunset !== undefined && sunset <= today
}

/**
 * Why these schemas must not be written; none before the first release.
 *
 * @param standing the changelog as it is
 * @param today YYYY-MM-DD
 */
export const refusals = (
  standing: ReadonlyArray<Version>,
  base: Contract | undefined,
  now: Contract,
  kept: Readonly<Record<string, Published>>,
  today: string,
): ReadonlyArray<string> => {
  const newest = Object.keys(kept).at(-1)
  if (newest === undefined) return []
  if (base === undefined || digest(base) !== kept[newest]!.contract) {
    return [`The contract of ${newest} is published: it is not rewritten.`]
  }
  const dated = standing.filter(({ date }) => date !== undefined)
  const rewritten = [...new Set([...Object.keys(kept), ...dated.map(({ version }) => version)])].filter(
    (version) => digest(dated.find((each) => each.version === version) ?? "") !== kept[version]?.changelog,
  )
  const early = compare(base, now).filter(({ breaking, at }) => {
    if (!breaking) return false
    const affected = at in base.operations ? [at] : operationsWith(base, at.split(/[.[{]/)[0]!)
    return affected.length === 0 || affected.some((operation) => !isOver(standing, base, operation, today))
  })
  return [
    ...rewritten.map((version) => `The changelog of ${version} is published: it is not rewritten.`),
    ...early.map(
      ({ at, what }) =>
        `\`${at}\` ${what}: breaking, and its end has not stood under "Deprecated" for ${noticeDays} days.`,
    ),
  ]
}

/** One entry per line, so that a change is one line of a diff. */
const lines = ({ operations, schemas }: Contract): string => {
  const block = (entries: object) =>
    Object.entries(entries)
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(",\n")
  return `{\n  "operations": {\n${block(operations)}\n  },\n  "schemas": {\n${block(schemas)}\n  }\n}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const now = contractOf(catalogue)
  const [standing, base, kept] = [read<ReadonlyArray<Version>>(files.changelog), released(), published()]
  const today = new Date().toISOString().slice(0, 10)
  const refused = refusals(standing, base, now, kept, today)
  if (refused.length > 0) {
    process.stderr.write(`${refused.join("\n")}\n`)
    process.exit(1)
  }
  const versions = due(standing, base, now)
  const release = process.argv.includes("--release")
  const written = release ? dated(versions, today) : versions
  writeFileSync(files.changelog, `${JSON.stringify(written, null, 2)}\n`)
  if (release) {
    const [newest] = written
    writeFileSync(files.contract, lines(now))
    const all = { ...kept, [newest!.version]: publishedOf(newest!, now) }
    writeFileSync(files.published, `${JSON.stringify(all, null, 2)}\n`)
  }
}
