import type * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Accounts } from "../../core/account/Accounts.ts"
import type { Agents } from "../../core/account/Agents.ts"
import type { Ledger } from "../../core/account/Ledger.ts"
import { anyAccounts, anyAccountsOnDisk } from "./anyStore.ts"
import { events, type Spender, spend } from "./spender.ts"

export const inMemory = <A, E>(
  effect: Effect.Effect<A, E, Accounts | Agents | Ledger | SqlClient.SqlClient>,
): Effect.Effect<A, unknown> => Effect.provide(effect, anyAccounts)

/** A store on the disk, as a server has it. */
export const onDisk = <A, E>(effect: Effect.Effect<A, E, Accounts | Agents | Ledger | SqlClient.SqlClient>) =>
  Effect.provide(effect, anyAccountsOnDisk)

export const tally = (tags: ReadonlyArray<{ readonly _tag: string }>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(Arr.groupBy(tags, ({ _tag }) => _tag)).map(([tag, all]) => [tag, all.length]))

export const race = (who: Spender, callers: number, micros: number, rest: Parameters<typeof spend>[2] = {}) =>
  Effect.map(
    Effect.all(
      Arr.makeBy(callers, () => spend(who, micros, rest)),
      { concurrency: "unbounded" },
    ),
    tally,
  )

export const typesOf = Effect.map(events, (all) => all.map(({ type }) => type.replace("agent.budget_", "")))
