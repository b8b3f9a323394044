import type * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Accounts } from "../../core/account/Accounts.ts"
import type { Agents } from "../../core/account/Agents.ts"
import type { Ledger } from "../../core/account/Ledger.ts"
import { anyAccounts, anyAccountsOnDisk } from "./anyStore.ts"
import { database, isPostgres } from "./postgres.ts"
import { node } from "./postgresNode.ts"
import { events, type Spender, spend } from "./spender.ts"

export const inMemory = <A, E>(
  effect: Effect.Effect<A, E, Accounts | Agents | Ledger | SqlClient.SqlClient>,
): Effect.Effect<A, unknown> => Effect.provide(effect, anyAccounts)

export const tally = (tags: ReadonlyArray<{ readonly _tag: string }>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(Arr.groupBy(tags, ({ _tag }) => _tag)).map(([tag, all]) => [tag, all.length]))

/** A caller whom a busy machine refuses for a lock calls again, as a caller does. */
export const race = (who: Spender, callers: number, micros: number, rest: Parameters<typeof spend>[2] = {}) =>
  Effect.map(
    Effect.all(
      Arr.makeBy(callers, () =>
        Effect.retry(spend(who, micros, rest), { times: 5, while: ({ code }) => code === "storage_unavailable" }),
      ),
      { concurrency: "unbounded" },
    ),
    tally,
  )

/** Programs over one new store: four nodes of PostgreSQL, or the one that owns a file of SQLite. */
export const programs: Effect.Effect<
  Arr.NonEmptyReadonlyArray<Context.Context<Accounts | Agents | Ledger | SqlClient.SqlClient>>,
  unknown,
  Scope.Scope
> = isPostgres
  ? Effect.flatMap(database, (url) => Effect.all(Arr.makeBy(4, () => node(url))))
  : Effect.map(Layer.build(anyAccountsOnDisk), (own) => Arr.of(own))

export const typesOf = Effect.map(events, (all) => all.map(({ type }) => type.replace("agent.budget_", "")))
