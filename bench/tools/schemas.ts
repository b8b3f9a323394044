// Maintains the version of the published schemas. After a change of requests or answers, `npm run schemas` writes the
// changelog of the next version. `npm run schemas -- --release` dates that version and makes the current schemas the
// base of the next one. A test compares all of it with the catalogue.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Version } from "../../adapters/describe/versions.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { type Change, compare } from "./compare.ts"
import { type Contract, contractOf } from "./surface.ts"

const files = {
  /** The contract of the newest released version. */
  contract: new URL("../../test/fixtures/contract.json", import.meta.url),
  changelog: new URL("../../adapters/describe/changelog.json", import.meta.url),
}

const read = <A>(file: URL): A => JSON.parse(readFileSync(file, "utf8")) as A

export const released = (): Contract => read(files.contract)

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
export const due = (standing: ReadonlyArray<Version>, base: Contract, now: Contract): ReadonlyArray<Version> => {
  const known = standing.filter(({ date }) => date !== undefined)
  // Before the first release nothing can break.
  if (known.length === 0) return standing
  const next = pending(known[0]!.version, compare(base, now))
  return next === undefined ? known : [next, ...known]
}

/** The changelog with a date on the next version. */
export const dated = (versions: ReadonlyArray<Version>, day: string): ReadonlyArray<Version> =>
  versions.map(({ version, date = day, ...rest }) => ({ version, date, ...rest }))

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
  const base = existsSync(files.contract) ? released() : now
  const versions = due(read(files.changelog), base, now)
  const release = process.argv.includes("--release")
  const written = release ? dated(versions, new Date().toISOString().slice(0, 10)) : versions
  writeFileSync(files.changelog, `${JSON.stringify(written, null, 2)}\n`)
  if (release) writeFileSync(files.contract, lines(now))
}
