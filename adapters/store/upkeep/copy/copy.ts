import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Failure } from "../../../../core/Failure.ts"
import { countAll } from "../../audit/usageRows.ts"
import { markMoved } from "../../engine/movedStore.ts"
import type { Place } from "../../engine/opening.ts"
import { cannot } from "../../engine/opening.ts"
import { application, askEach } from "../../engine/postgres/client.ts"
import { chargesIn } from "../../money/charge.ts"
import { cancelAll } from "../../money/postgres/ending.ts"
import { nameAll } from "../../money/sqlite/replyLog.ts"
import { readTrail, trail, trailWriter } from "./audit.ts"
import { type CanonicalOptions, digesting, type Row } from "./canonical.ts"
import { copiedTables, difference, everyTable, filledAtFirst, filledByMigration, type Table } from "./catalogue.ts"
import { type Checked, check } from "./checks.ts"
import { another, digest, digestTables, passing, refuseDifferent, type TableDigest, wholeCopy } from "./digests.ts"
import * as End from "./End.ts"
import { CopyError, refuse } from "./End.ts"
import { attempt, continueNumbers, inserter, rowsSql, suspendTriggers } from "./put.ts"

export interface CopyOptions {
  readonly from: Place
  readonly to: Place
  /** A trial: the source stays in use. */
  readonly keepSource: boolean
}

export interface Copied {
  readonly from: string
  readonly to: string
  readonly tables: ReadonlyArray<TableDigest>
  readonly checked: Checked
  /** When the source was marked, epoch milliseconds; absent if it was kept. */
  readonly movedAt?: number
  /** The target was a whole copy already, of a run that was stopped before it marked the source. */
  readonly wasThere: boolean
}

const quotedNames = (tables: ReadonlyArray<Table>): string => tables.map(({ name }) => `"${name}"`).join(", ")

/** Real time: the wait is for the server. */
const clock = Clock.make()

/** A node looks at the store several times a second, so its connection is there. One that was just closed may take a while. */
const refuseNodes = ({ option, sql, within }: End.End): Effect.Effect<void, CopyError | SqlError> =>
  within(
    sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = ${application}`,
  ).pipe(
    Effect.filterOrFail(
      ({ length }) => length === 0,
      ({ length }) =>
        new CopyError({
          message: `${option}: nodes or commands use this store (${length} connections). Stop them first.`,
        }),
    ),
    Effect.retry({
      while: (error) => error._tag === "CopyError",
      schedule: Schedule.spaced("100 millis").pipe(Schedule.upTo("2 seconds")),
    }),
    Effect.withClock(clock),
    Effect.asVoid,
  )

/**
 * Keeps others from writing until the end of the copy: whoever was not seen waits for the tables, and finds the store moved.
 * On SQLite the transaction itself has the write lock.
 */
const lock = (end: End.End, tables: ReadonlyArray<Table>): Effect.Effect<void, CopyError | SqlError> =>
  end.db !== undefined
    ? Effect.void
    : Effect.gen(function* () {
        const { option, sql, within } = end
        yield* refuseNodes(end)
        const [row] = yield* within(
          sql<{ alone: boolean }>`SELECT pg_try_advisory_xact_lock(hashtext('market-signals copy')) AS alone`,
        )
        if (!row!.alone) {
          return yield* refuse(`${option}: another copy uses this store, or --from and --to are the same one.`)
        }
        yield* within(sql.unsafe(`LOCK TABLE ${quotedNames(tables)} IN SHARE ROW EXCLUSIVE MODE`))
        // No node is left that would give these charges back.
        if (option === "--from") yield* within(cancelAll(askEach((text, values) => sql.unsafe(text, values))))
      })

const isEmpty = ({ sql, within }: End.End, name: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(within(sql`SELECT 1 FROM ${sql(name)} LIMIT 1`), ({ length }) => length === 0)

/** A table with rows that a new store does not have. */
const filledTable = (end: End.End, tables: ReadonlyArray<Table>): Effect.Effect<string | undefined, SqlError> =>
  Effect.gen(function* () {
    for (const { name } of tables) {
      if (!filledByMigration.has(name) && !(yield* isEmpty(end, name))) return name
    }
    return undefined
  })

const written = (table: string, work: Effect.Effect<void, SqlError>): Effect.Effect<void, CopyError> =>
  Effect.mapError(
    work,
    (cause) => new CopyError({ message: `--to: ${cannot(`write ${table}`)(cause).message}`, cause }),
  )

/** Copies all rows and returns the digests of the source. */
const copyRows = (source: End.End, target: End.End, tables: ReadonlyArray<Table>, options: CanonicalOptions) =>
  Effect.gen(function* () {
    const own = yield* target.within(everyTable)
    const writer = trailWriter(target, own)
    const passed = (table: Table, at: number) => {
      const { add, end } = digesting(table, options)
      const pass = passing("copy", table, at, tables.length + 1)
      return {
        put: (rows: ReadonlyArray<Row>, work: Effect.Effect<void, SqlError>) =>
          pass(rows).pipe(Effect.zipRight(digest(add, rows)), Effect.zipRight(written(table.name, work))),
        end: (): TableDigest => ({ name: table.name, ...end() }),
      }
    }
    const ofTrail = passed(trail, 0)
    yield* readTrail(
      source,
      (month, rows) => ofTrail.put(rows, writer.put(month, rows)),
      (month) => written(trail.name, writer.begin(month)),
    )
    yield* written(trail.name, writer.end)
    const digests = [ofTrail.end()]
    for (const [at, table] of tables.entries()) {
      if (filledAtFirst.has(table.name)) yield* target.within(target.sql`DELETE FROM ${target.sql(table.name)}`)
      const { put, end } = passed(table, at + 1)
      const insert = inserter(target, table)
      yield* source.pages(rowsSql(table), (rows) => put(rows, insert(rows)))
      digests.push(end())
    }
    // PostgreSQL's numbered columns are known to its own catalogue alone.
    yield* Effect.forEach(own, (table) => continueNumbers(target, table), { discard: true })
    return digests
  })

/** PostgreSQL would plan the first queries as over empty tables. */
const analyze = ({ db, sql, within }: End.End, tables: ReadonlyArray<Table>): Effect.Effect<void, SqlError> =>
  db !== undefined ? Effect.void : Effect.asVoid(within(sql.unsafe(`ANALYZE ${quotedNames(tables)}`)))

/** Copies all rows into an empty store and compares what is in it then. */
const filling = (
  source: End.End,
  target: End.End,
  own: ReadonlyArray<Table>,
  tables: ReadonlyArray<Table>,
  options: CanonicalOptions,
) =>
  Effect.gen(function* () {
    const resume = yield* suspendTriggers(target, tables)
    const digests = yield* copyRows(source, target, tables, options)
    yield* resume
    const { db } = target
    if (db !== undefined) yield* attempt(() => nameAll(db))
    yield* analyze(target, own)
    yield* refuseDifferent(digests, yield* digestTables(target, tables, options))
    return digests
  })

/** The journal of a copy has every charge, that of SQLite those of deleted rows: reads of `journal` are of this table then. */
const wholeJournal = `
  CREATE TEMP TABLE journal AS SELECT * FROM main.postings;
  CREATE INDEX temp.journal_key ON journal (account_id, id)`

const mark = (source: End.End, target: string) =>
  source.within(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const all = yield* everyTable
      yield* markMoved(
        all.map(({ name }) => name),
        target,
        now,
      )
      return now
    }),
  )

const between = (source: End.End, target: End.End, { keepSource }: CopyOptions) =>
  Effect.gen(function* () {
    const all = yield* source.within(everyTable)
    const own = yield* target.within(everyTable)
    const tables = copiedTables(all)
    const differs = difference(tables, copiedTables(own))
    if (differs !== undefined) return yield* refuse(`The stores have different schemas: ${differs}.`)
    yield* lock(source, all)
    yield* lock(target, own)
    // Wallets, sums, usage and the journal are then as of the last call.
    const { db } = source
    yield* db === undefined
      ? source.transactions.write(() => countAll(source.transactions))
      : attempt(() => chargesIn(db).foldAll())
    if (db !== undefined) yield* attempt(() => db.exec(wholeJournal))
    const options = { mayHaveNul: source.db !== undefined && target.db !== undefined }
    const filled = yield* filledTable(target, tables)
    if (filled !== undefined && keepSource) {
      return yield* refuse(`--to: the store is not empty: ${filled} has rows. ${another}`)
    }
    const digests =
      filled === undefined
        ? yield* filling(source, target, own, tables, options)
        : yield* wholeCopy(source, target, tables, options, filled)
    if (db !== undefined) yield* attempt(() => db.exec("DROP TABLE temp.journal"))
    const checked = yield* check(target)
    // Both commits follow each other at once: a copy that is killed between them leaves a whole target and a source in use,
    // which the same command marks.
    const movedAt = keepSource ? undefined : yield* mark(source, target.name)
    const unmarked = `The copy in ${target.name} is complete, but ${source.name} could not be marked as moved. Start nothing on either and run the same command again: it compares both and marks the source.`
    const ended =
      movedAt === undefined
        ? target.commit
        : Effect.zipRight(
            target.commit,
            Effect.mapError(source.commit, (cause) => new CopyError({ message: unmarked, cause })),
          )
    yield* Effect.uninterruptible(ended)
    return {
      ...{ from: source.name, to: target.name, tables: digests, checked },
      ...(movedAt === undefined ? {} : { movedAt }),
      wasThere: filled !== undefined,
    }
  })

/**
 * Copies a whole store into an empty one, in one transaction, and compares both: the rows of every table by SHA-256, the
 * books and the record. If anything differs or the copy is stopped, the target stays empty. Afterwards the
 * source is marked as moved and takes nothing more. A copy that was stopped just before that is completed by the next one.
 */
export const copy = (options: CopyOptions): Effect.Effect<Copied, CopyError | Failure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { from, to } = options
      if (End.identityOf(from) === End.identityOf(to)) return yield* refuse("--from and --to are the same store.")
      const source = yield* End.open("--from", from)
      const target = yield* End.open("--to", to)
      return yield* between(source, target, options)
    }),
  ).pipe(
    Effect.catchTag("SqlError", (cause) =>
      Effect.fail(new CopyError({ message: cannot("copy the store")(cause).message, cause })),
    ),
  )
