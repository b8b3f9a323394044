import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Charge, Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { day } from "../../../core/time.ts"

const caller = { accountId: "acct", keyId: "key", livemode: true, perMinute: 60 }
const reply = { key: "7f0c", requestHash: "hash", stored: "body" }
const at = Date.UTC(2026, 6, 31, 12)

const settlement = (micros: number, more: Partial<Charge> = {}, when = at): Charge => ({
  caller,
  listMicros: MicroUsd(micros),
  chargedMicros: MicroUsd(micros),
  audit: {
    at: when,
    requestId: "req",
    accountId: "acct",
    keyId: "key",
    endpoint: "weather_signal",
    paramsHash: "params",
    status: 200,
    charged: MicroUsd(micros),
    latencyMs: 1,
  },
  ...more,
})

const withLedger = <A, E>(use: (ledger: Ledger["Type"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Ledger, use).pipe(Effect.provide(Ledger.layerMemory([["acct", 1_000]])))

describe("the ledger in memory", () => {
  it.effect("charges what the balance has, to the last micro, and no more", () =>
    withLedger((ledger) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* ledger.precheck(caller, MicroUsd(1_000), MicroUsd(1_000), at))._tag, "Accepted")
        assert.strictEqual((yield* ledger.charge(settlement(400)))._tag, "Accepted")
        assert.notStrictEqual((yield* ledger.charge(settlement(601)))._tag, "Accepted")
        assert.strictEqual((yield* ledger.charge(settlement(600)))._tag, "Accepted")
        assert.notStrictEqual((yield* ledger.precheck(caller, MicroUsd(1), MicroUsd(1), at))._tag, "Accepted")
        assert.strictEqual(yield* ledger.balance("acct"), MicroUsd(0))
        assert.strictEqual(yield* ledger.balance("other"), MicroUsd(0))
      }),
    ),
  )

  it.effect("sums spend by key and by account in its UTC month", () =>
    withLedger((ledger) =>
      Effect.gen(function* () {
        yield* ledger.charge(settlement(100))
        yield* ledger.charge(settlement(30, {}, at + day))
        const { month, monthSpent, balance } = yield* ledger.spendStatus(caller, at)
        assert.deepStrictEqual([month, monthSpent, balance], ["2026-07", MicroUsd(100), MicroUsd(870)])
        assert.strictEqual(yield* ledger.accountSpent("acct", "2026-08"), MicroUsd(30))
        assert.strictEqual(yield* ledger.accountSpent("acct", "2026-09"), MicroUsd(0))
      }),
    ),
  )

  it.effect("keeps a reply for a day, under its key alone", () =>
    withLedger((ledger) =>
      Effect.gen(function* () {
        yield* ledger.charge(settlement(100, { reply }))
        assert.strictEqual((yield* ledger.charge(settlement(100, { reply }, at + day - 1)))._tag, "Concurrent")
        const ages = [0, day - 1, day]
        const recalled = yield* Effect.forEach(ages, (age) => ledger.recall("key", reply.key, at + age))
        assert.deepStrictEqual(recalled, [reply, reply, undefined])
        assert.isUndefined(yield* ledger.recall("other", reply.key, at))
        assert.strictEqual((yield* ledger.charge(settlement(100, { reply }, at + day)))._tag, "Accepted")
      }),
    ),
  )
})
