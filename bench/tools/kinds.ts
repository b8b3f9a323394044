import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/**
 * `unit`: sources alone. `service`: a server in the process. `proof`: programs of ours, kills, documents, benches, seasons of
 * recorded data.
 */
export type Kind = "unit" | "service" | "proof"

/** The part of the proof that `npm test` runs: documents, and kills of the ledger in their short form. */
const short =
  /(boundaries|budget|readme|deployment|store\/chaos\/charges|fsync|[cC]lient|signature|stripeHost|diskGuard|services\/install)\.test\.ts$/

/** A test file that is long for another reason than what it imports says so in its first line: `// Proof: why`. */
const marked = /^\/\/ Proof: ./

/** Always proof: documents and packages, benches, and a file that measures its own process. */
const proof = /^test\/(long\/|[^/]+\.test\.ts$|bench\/(?!open\/)|bench\/open\/(backtest|train)\/|security\/addresses\.)/
/** Documents of a server, each read as a whole. */
const documents = /^test\/adapters\/(describe|web\/docs|web\/view\/document\.)/
/** Servers that others made: a test that asks for one is no proof by that. */
const foreign = /^test\/support\/(postgresServer|chromium)\.ts$/
const server = "test/support/running.ts"
/** Support of documents, and of what walks a whole history or generated world. */
const long = /^test\/support\/(documents\/|realData\.|benchTask\.|mockLanes\.|worldUpstreams\.)/

/** The modules that a file imports: paths from the root of the repository, or names. */
export const imported = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, source]) =>
    source!.startsWith(".") ? join(dirname(file), source!) : source!,
  )

/** All that a test file imports under `test/`, and the modules of Node. */
const reached = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  for (const source of imported(file)) {
    if (seen.has(source)) continue
    seen.add(source)
    if (source.startsWith("test/") && !foreign.test(source) && existsSync(source)) reached(source, seen)
  }
  return seen
}

const filesUnder = (folder: string): Array<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [join(folder, entry.name)]
    return entry.name === "node_modules" ? [] : filesUnder(join(folder, entry.name))
  })

/** Pages in Chromium, and what needs PostgreSQL alone, have projects of their own. */
const isElsewhere = (file: string): boolean =>
  file.startsWith("test/long/browser/") ||
  (/^test\/adapters\/store\/(.*\/)?postgres\//.test(file) &&
    [...reached(file)].some((source) => source.startsWith("test/support/postgres")))

const kindOf = (file: string): Kind => {
  if (proof.test(file) || marked.test(readFileSync(file, "utf8")) || imported(file).some((source) => long.test(source)))
    return "proof"
  const all = reached(file)
  if (!all.has(server)) return all.has("node:child_process") ? "proof" : "unit"
  // Beside a server of its own, a test of an adapter starts a program in a case or two.
  const startsPrograms = all.has("node:child_process") && file.startsWith("test/services/")
  return startsPrograms || documents.test(file) ? "proof" : "service"
}

/**
 * The test files of each kind: by what they import, so that a new file needs no list.
 *
 * @param part of the proof; undefined: all of it
 */
export const kindsOf = (folder: string, part: string | undefined): Readonly<Record<Kind, Array<string>>> => {
  const kinds: Record<Kind, Array<string>> = { unit: [], service: [], proof: [] }
  for (const file of filesUnder(folder).sort()) {
    if (file.endsWith(".test.ts") && !isElsewhere(file)) kinds[kindOf(file)].push(file)
  }
  if (part !== undefined)
    kinds.proof = kinds.proof.filter(
      (file) => (short.test(file) && !file.startsWith("test/long/")) === (part === "short"),
    )
  return kinds
}
