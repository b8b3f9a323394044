import { assert, it } from "@effect/vitest"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { make } from "../../../../../adapters/server/payments/x402/gas.ts"
import { noCounting } from "../../../../../core/telemetry/Meter.ts"

const minute = 60_000
const [one, other] = ["0x1", "0x2"] as const

/** The gas of an hour, and what it told its meter. */
const budget = (perHour: number) =>
  Effect.map(Effect.clock, (clock: Clock.Clock) => {
    const told: Array<unknown> = []
    const gas = make(
      perHour,
      {
        ...noCounting,
        withoutGas: () => void told.push("without gas"),
        sentPayment: (isReverted, units, fee) => void told.push({ isReverted, units, fee }),
      },
      clock,
    )
    return { gas, told }
  })

it.effect("a payment is allowed up to the last unit of the hour, and a refusal is counted", () =>
  Effect.gen(function* () {
    const { gas, told } = yield* budget(100)
    assert.isTrue(gas.allows(100n))
    assert.isFalse(gas.allows(101n))
    gas.send(one, 60n)
    assert.isTrue(gas.allows(40n))
    assert.isFalse(gas.allows(41n))
    gas.unsent(one)
    assert.isTrue(gas.allows(100n))
    assert.deepStrictEqual(told, ["without gas", "without gas"])
  }),
)

it.effect("a transaction counts for an hour, then its gas is free again", () =>
  Effect.gen(function* () {
    const { gas } = yield* budget(100)
    assert.strictEqual(gas.waitMs(), 0)
    gas.send(one, 100n)
    assert.strictEqual(gas.waitMs(), 60 * minute)
    yield* TestClock.adjust("20 minutes")
    gas.send(other, 1n)
    assert.strictEqual(gas.waitMs(), 40 * minute, "the oldest one decides")
    yield* TestClock.adjust(40 * minute - 1)
    assert.isFalse(gas.allows(1n))
    assert.strictEqual(gas.waitMs(), 1_000, "never less than a second")
    yield* TestClock.adjust(1)
    assert.isTrue(gas.allows(99n))
    assert.isFalse(gas.allows(100n))
    assert.strictEqual(gas.waitMs(), 20 * minute)
  }),
)

it.effect("a mined transaction counts once, with the gas that it took", () =>
  Effect.gen(function* () {
    const { gas, told } = yield* budget(100)
    gas.send(one, 100n)
    gas.mined(one, { gas: 30n, gasPrice: 7n, isReverted: true })
    assert.isTrue(gas.allows(70n))
    gas.mined(one, { gas: 90n, gasPrice: 7n, isReverted: false })
    gas.mined(other, { gas: 90n, gasPrice: 7n, isReverted: false })
    assert.isTrue(gas.allows(70n))
    assert.deepStrictEqual(told, [{ isReverted: true, units: 30, fee: 210 }])
  }),
)
