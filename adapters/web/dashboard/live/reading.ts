import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Calls } from "../../../../core/account/Calls.ts"
import { Usage, type UsageSum } from "../../../../core/account/Usage.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { day, minute, second } from "../../../../core/time.ts"
import type { Named } from "../../condition/Condition.ts"
import { beginningsOf, monthAndToday } from "../spend.tsx"
import { readStops, urgentStops } from "../urgent.ts"
import { encoded, listValues } from "./values.ts"

/** Agents and keys that are read, the newest: a reading is some milliseconds however many there are. */
const maxRead = 200

/** How often it is read what stops the account's calls: it looks at all its agents, not only at the newest. */
const rarely = 10 * second

/** The values of an account now, as JSON by name. */
export type Read = Effect.Effect<ReadonlyMap<string, string>, Failure>

/**
 * Reads of an account that repeat. Sums of the days before today are read once a minute: they change only by a call that
 * began before midnight.
 */
export const make: Effect.Effect<(accountId: string) => Read, never, Accounts | Agents | Calls | Usage> = Effect.gen(
  function* () {
    const accounts = yield* Accounts
    const agents = yield* Agents
    const calls = yield* Calls
    const usage = yield* Usage
    const context = yield* Effect.context<Accounts | Agents>()

    return (accountId) => {
      let stops: { readonly at: number; readonly urgent: ReadonlyArray<Named> } | undefined
      let before: { readonly at: number; readonly today: number; readonly sums: ReadonlyArray<UsageSum> } | undefined

      const between = (from: number, to: number) => usage.sums(accountId, { from, to, span: "day", group: "status" })

      const usageAt = (now: number) =>
        Effect.gen(function* () {
          const { today, month } = beginningsOf(now)
          if (before?.today !== today || now - before.at >= minute) {
            before = { at: now, today, sums: yield* between(month, today) }
          }
          return monthAndToday([...before.sums, ...(yield* between(today, today + day))], now)
        })

      const stopsAt = (now: number) =>
        Effect.gen(function* () {
          if (stops === undefined || now - stops.at >= rarely) {
            stops = { at: now, urgent: urgentStops(yield* Effect.provide(readStops(accountId), context)) }
          }
          return stops.urgent
        })

      return Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const { account, balance } = yield* accounts.balance(accountId)
        const { rows } = yield* calls.page(accountId, {}, 1)
        const [posting] = yield* accounts.journal(accountId, 1)
        return encoded(
          listValues({
            now,
            account,
            balance,
            usage: yield* usageAt(now),
            agents: yield* agents.page(accountId, { limit: maxRead }),
            keys: yield* accounts.keyPage(accountId, { limit: maxRead }),
            call: rows[0]?.requestId,
            posting: posting?.id,
            urgent: yield* stopsAt(now),
          }),
        )
      })
    }
  },
)
