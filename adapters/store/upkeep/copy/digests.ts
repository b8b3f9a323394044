import * as Effect from "effect/Effect"
import { advance } from "../../../../core/Progress.ts"
import { readTrail, trail } from "./audit.ts"
import { type CanonicalOptions, type Digest, digesting, type Row } from "./canonical.ts"
import type { Table } from "./catalogue.ts"
import type * as End from "./End.ts"
import { CopyError, refuse } from "./End.ts"
import { rowsSql } from "./put.ts"

export interface TableDigest extends Digest {
  readonly name: string
}

/** Where else a copy may go. */
export const another = "Name a new file or database; it is created or migrated."

/** A row that one of the stores cannot hold stops the copy. */
export const digest = (add: (rows: ReadonlyArray<Row>) => void, rows: ReadonlyArray<Row>) =>
  Effect.try({
    try: () => add(rows),
    catch: (cause) => new CopyError({ message: `--from: ${(cause as Error).message}.`, cause }),
  })

/**
 * Counts the rows of a table that have passed, and tells of them.
 *
 * @param at the place of the table among those of the store
 */
export const passing = (doing: string, { name }: Pick<Table, "name">, at: number, of: number) => {
  let count = 0
  return (rows: ReadonlyArray<Row>): Effect.Effect<void> => {
    count += rows.length
    return advance(`${doing} ${name}: ${count} rows`, at, of)
  }
}

/** Digests the rows of a table, those of the trail month by month. */
const digestTable = (end: End.End, table: Table, options: CanonicalOptions, at: number, of: number) =>
  Effect.gen(function* () {
    const read = digesting(table, options)
    const pass = passing("compare", table, at, of)
    const use = (rows: ReadonlyArray<Row>) => Effect.zipRight(pass(rows), digest(read.add, rows))
    yield* table === trail ? readTrail(end, (_, rows) => use(rows)) : end.pages(rowsSql(table), use)
    return { name: table.name, ...read.end() } satisfies TableDigest
  })

/** Reads all rows of a store. */
export const digestTables = (end: End.End, tables: ReadonlyArray<Table>, options: CanonicalOptions) =>
  Effect.forEach([trail, ...tables], (table, at) => digestTable(end, table, options, at, tables.length + 1))

const areSame = (one: TableDigest, other: TableDigest): boolean =>
  one.rows === other.rows && one.sha256 === other.sha256

export const refuseDifferent = (source: ReadonlyArray<TableDigest>, target: ReadonlyArray<TableDigest>) => {
  const at = source.findIndex((one, each) => !areSame(one, target[each]!))
  if (at === -1) return Effect.void
  const [one, other] = [source[at]!, target[at]!]
  return refuse(
    `${one.name} differs: ${one.rows} rows with SHA-256 ${one.sha256} were read, ${other.rows} with ${other.sha256} were written. The target stays empty.`,
  )
}

/**
 * The digests of two stores that are equal: a copy that was killed after its own commit, before that of the source's mark,
 * leaves them so. Stops at the first table that differs; the audit trail, the longest, comes last.
 */
export const wholeCopy = (
  source: End.End,
  target: End.End,
  tables: ReadonlyArray<Table>,
  options: CanonicalOptions,
  filled: string,
) =>
  Effect.gen(function* () {
    const same = (one: TableDigest, other: TableDigest) =>
      areSame(one, other)
        ? Effect.succeed(one)
        : refuse(
            `--to: the store is not empty: ${filled} has rows, and it is no copy of --from as it is now: ${one.name} differs. ${another}`,
          )
    const all = [...tables, trail]
    const digests = yield* Effect.forEach(all, (table, at) =>
      Effect.flatMap(
        Effect.forEach([source, target], (end) => digestTable(end, table, options, at, all.length)),
        ([one, other]) => same(one!, other!),
      ),
    )
    return [digests.at(-1)!, ...digests.slice(0, -1)]
  })
