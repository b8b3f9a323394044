import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Failure } from "../../../core/Failure.ts"
import { perObject } from "../../../core/perObject.ts"
import * as Step from "../../../core/Step.ts"
import { findEngine } from "./Dialect.ts"
import { reader, refuseNaN, Sqlite } from "./sqlite/client.ts"
import * as GroupCommit from "./sqlite/groupCommit.ts"
import { beginSnapshot, inTransaction, mapStorageErrors, transaction } from "./storage.ts"

/** A value of a statement: a parameter or a column. */
export type Value = string | number | null | Uint8Array

/** A statement, prepared where the store can. Its parameters are `?` in the text. */
export interface Query<Row> {
  readonly all: (...params: ReadonlyArray<Value>) => Step.Step<ReadonlyArray<Row>, SqlError>
  readonly get: (...params: ReadonlyArray<Value>) => Step.Step<Row | undefined, SqlError>
  /** Returns the number of changed rows. */
  readonly run: (...params: ReadonlyArray<Value>) => Step.Step<number, SqlError>
}

/**
 * Access to the store for repositories that calls read, or that decide while they write. Such a repository is written once, as
 * steps (`core/Step.ts`) that yield queries: on SQLite a step is done when its function returns and runs inside a group commit;
 * on PostgreSQL it is an effect on the connection of its transaction. A step may wait only for queries.
 * Lists with composed conditions, for pages and the command line, and upkeep (migrations, archives, checks) use the SQL client's
 * tagged text. Only the money path and the group commit use SQLite's bare handle.
 */
export class Transactions extends Context.Tag("market-signals/adapters/store/Transactions")<
  Transactions,
  {
    readonly dialect: "sqlite" | "postgres"
    readonly prepare: <Row = unknown>(text: string) => Query<Row>
    readonly read: <A>(work: () => Step.Step<A, SqlError>) => Effect.Effect<A, Failure>
    /** Runs reads that see one state of the store on PostgreSQL; on SQLite each sees its own. */
    readonly snapshot: <A, E>(reads: Effect.Effect<A, E>) => Effect.Effect<A, Exclude<E, SqlError> | Failure>
    /** Runs a step in a transaction; done when it is durable. If the step throws, nothing is written. */
    readonly write: <A>(work: () => Step.Step<A, SqlError>) => Effect.Effect<A, Failure>
  }
>() {}

/** A store's statements, for steps that belong to a transaction of their caller. */
export type Queries = Pick<Transactions["Type"], "prepare" | "dialect">

/** Numbers the parameters for PostgreSQL. Our statements have no other question marks. */
const numberParameters = (text: string): string => {
  let count = 0
  return text.replace(/\?/g, () => `$${++count}`)
}

/** The number of rows that a statement has changed, as either driver reports it. */
const countChanged = (raw: unknown): number => {
  const { rowCount, changes } = raw as { readonly rowCount?: number | null; readonly changes?: number }
  const count = rowCount ?? changes
  if (count === undefined) throw new Error("This driver does not say how many rows a statement has changed.")
  return count
}

/** The store over any client of `@effect/sql`. Only the money path needs its engine's own connection. */
export const overClient = (sql: SqlClient.SqlClient): Transactions["Type"] => {
  const dialect = findEngine(sql)
  // Drivers of SQLite would bind it as null.
  const isRefused = (params: ReadonlyArray<Value>) => dialect === "sqlite" && params.includes(Number.NaN)
  const refused = Effect.die(new RangeError("NaN cannot be stored."))
  return {
    dialect,
    prepare: <Row>(given: string): Query<Row> => {
      const text = dialect === "sqlite" ? given : numberParameters(given)
      const rows = (params: ReadonlyArray<Value>) =>
        isRefused(params)
          ? refused
          : (sql.unsafe<Row & object>(text, params) as Effect.Effect<ReadonlyArray<Row>, SqlError>)
      return {
        all: (...params) => rows(params),
        get: (...params) => Effect.map(rows(params), ([row]) => row),
        run: (...params) => (isRefused(params) ? refused : Effect.map(sql.unsafe(text, params).raw, countChanged)),
      }
    },
    read: (work) => mapStorageErrors(Step.suspend(work)),
    snapshot: (reads) => mapStorageErrors(dialect === "sqlite" ? reads : transaction(sql, reads, beginSnapshot)),
    write: (work) => inTransaction(sql, Step.suspend(work)),
  }
}

/** The value of a step on SQLite, where every query is done at once. Throws the step's error. */
export const valueOrThrow = <A>(step: Step.Step<A, SqlError>): A => {
  if (!Step.isDone(step)) throw new Error("A step of the store waits for something else than a query.")
  if (Exit.isFailure(step)) throw Cause.squash(step.cause)
  return step.value
}

/**
 * The queries of SQLite. They throw, so that the transaction around them is rolled back. Each connection always has the same
 * function, since repositories key their caches by it.
 */
export const sqliteQueries = perObject((db: Sqlite["Type"]["db"]): Queries["prepare"] => {
  return <Row>(text: string): Query<Row> => {
    const statement = db.prepare(text)
    return {
      all: (...params) => {
        refuseNaN(statement, params)
        return Exit.succeed(statement.all(...params) as ReadonlyArray<Row>)
      },
      get: (...params) => {
        refuseNaN(statement, params)
        return Exit.succeed(statement.get(...params) as Row | undefined)
      },
      run: (...params) => {
        refuseNaN(statement, params)
        return Exit.succeed(statement.run(...params).changes)
      },
    }
  }
})

export const layerSqlite: Layer.Layer<Transactions, never, Sqlite> = Layer.scoped(
  Transactions,
  Effect.gen(function* () {
    const sqlite = yield* Sqlite
    const commits = yield* GroupCommit.make
    const read = reader(sqlite)
    return {
      dialect: "sqlite" as const,
      prepare: sqliteQueries(sqlite.db),
      read: (work) => read(() => valueOrThrow(work())),
      snapshot: mapStorageErrors,
      write: (work) => Step.suspend(() => commits.submit(() => valueOrThrow(work()))),
    }
  }),
)
