import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Calls } from "../../../../core/account/Calls.ts"
import { Usage } from "../../../../core/account/Usage.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { day } from "../../../../core/time.ts"
import { monthAndToday, startOfDayAndMonth } from "../spend.ts"
import { readStops, urgentStops } from "../urgent.ts"
import { listValues, type Value } from "./values.ts"

/** At most this many agents and keys are read, the newest ones, so that a reading stays fast. */
const maxRead = 200

/** Accounts held in each cache. */
export const capacity = 256

/** Reads the values of an account now. */
export type Read = (accountId: string) => Effect.Effect<ReadonlyArray<Value>, Failure>

/**
 * Reads the values of accounts. What stops an account's calls is cached for 10 seconds, because up to 1,000 agents are looked
 * through, and the sums of the days before today for a minute: they change only when a call that began before midnight ends.
 */
export const make: Effect.Effect<Read, never, Accounts | Agents | Calls | Usage> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const agents = yield* Agents
  const calls = yield* Calls
  const usage = yield* Usage
  const context = yield* Effect.context<Accounts | Agents>()

  const between = (accountId: string, from: number, to: number) =>
    usage.sums(accountId, { from, to, span: "day", group: "status" })
  const sums = yield* Cache.make({
    capacity,
    timeToLive: "1 minute",
    lookup: ({
      accountId,
      month,
      today,
    }: {
      readonly accountId: string
      readonly month: number
      readonly today: number
    }) => between(accountId, month, today),
  })
  const stops = yield* Cache.make({
    capacity,
    timeToLive: "10 seconds",
    lookup: (accountId: string) => Effect.provide(Effect.map(readStops(accountId), urgentStops), context),
  })

  return (accountId) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const { account, balance } = yield* accounts.balance(accountId)
      const { rows } = yield* calls.page(accountId, {}, 1)
      const [posting] = yield* accounts.journal(accountId, 1)
      const { today, month } = startOfDayAndMonth(now)
      const earlier = yield* sums.get(Data.struct({ accountId, month, today }))
      return listValues({
        now,
        account,
        balance,
        usage: monthAndToday([...earlier, ...(yield* between(accountId, today, today + day))], now),
        agents: yield* agents.page(accountId, { limit: maxRead }),
        keys: yield* accounts.keyPage(accountId, { limit: maxRead }),
        call: rows[0]?.requestId,
        posting: posting?.id,
        urgent: yield* stops.get(accountId),
      })
    })
})
