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
export const digest = (
  add: (rows: ReadonlyArray<Row>) => void,
  rows: ReadonlyArray<Row>,
): Effect.Effect<void, CopyError> =>
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

const comparing = "compare"

const digestTrail = (end: End.End, options: CanonicalOptions, [at, of]: readonly [at: number, of: number]) =>
  Effect.gen(function* () {
    const read = digesting(trail, options)
    const pass = passing(comparing, trail, at, of)
    yield* readTrail(end, (_, rows) => Effect.zipRight(pass(rows), digest(read.add, rows)))
    return { name: trail.name, ...read.end() } satisfies TableDigest
  })

const digestTable = (
  end: End.End,
  table: Table,
  options: CanonicalOptions,
  [at, of]: readonly [at: number, of: number],
) =>
  Effect.gen(function* () {
    const read = digesting(table, options)
    const pass = passing(comparing, table, at, of)
    yield* end.pages(rowsSql(table), (rows) => Effect.zipRight(pass(rows), digest(read.add, rows)))
    return { name: table.name, ...read.end() } satisfies TableDigest
  })

/** Reads all rows of a store. */
export const digestTables = (end: End.End, tables: ReadonlyArray<Table>, options: CanonicalOptions) =>
  Effect.zipWith(
    digestTrail(end, options, [0, tables.length + 1]),
    Effect.forEach(tables, (table, at) => digestTable(end, table, options, [at + 1, tables.length + 1])),
    (first, rest): ReadonlyArray<TableDigest> => [first, ...rest],
  )

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
  {
    source,
    target,
    tables,
  }: { readonly source: End.End; readonly target: End.End; readonly tables: ReadonlyArray<Table> },
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
    const of = tables.length + 1
    const rest = yield* Effect.forEach(tables, (table, at) =>
      Effect.flatten(
        Effect.zipWith(
          digestTable(source, table, options, [at, of]),
          digestTable(target, table, options, [at, of]),
          same,
        ),
      ),
    )
    const last = [of - 1, of] as const
    const first = yield* Effect.flatten(
      Effect.zipWith(digestTrail(source, options, last), digestTrail(target, options, last), same),
    )
    return [first, ...rest]
  })
