import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as challenge from "../../../../../adapters/lanes/markets/store/Challenge.ts"
import { decimals } from "../../../../../core/endpoint/Field.ts"
import { round } from "../../../../../core/endpoint/Rounding.ts"
import { ifDefined } from "../../../../../core/ifDefined.ts"
import { Challenge } from "../../../../../core/lanes/markets/challenge/Challenge.ts"
import { ContractStore } from "../../../../../core/lanes/markets/ports.ts"
import { xoshiro128 } from "../../../../../core/math/xoshiro128.ts"
import { signCheckpoint } from "../../../../../core/record/log/signCheckpoint.ts"
import type { Opinion, Scored } from "../../../../../core/record/scoreboard/challengers.ts"
import * as Challengers from "../../../../../core/record/scoreboard/challengers.ts"
import { lastBeforeClose } from "../../../../../core/record/scoreboard/Settled.ts"
import { capture, many, opine, overStore as over, t, table, withdraw } from "../../../../support/challenge.ts"
import { contract, noon } from "../../../../support/contracts.ts"

const hour = 3_600_000
const { closeTime: close } = contract()

describe("challengers", () => {
  const open = [...many(2), contract({ ticker: "KXHIGHNY-26JUL13-T9", event: "KXHIGHNY-26JUL13" }), ...many(3).slice(2)]
  const other = open[2]!.ticker

  /** The venue's result of contracts at their close. */
  const settledAtClose = (result: "yes" | "no", ...tickers: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(close + hour)
      const { settle } = yield* ContractStore
      yield* settle(
        "kalshi",
        tickers.map((ticker) => ({ ticker, closedAt: close, result })),
        close + hour,
      )
    })
  const named = (models: ReadonlyArray<{ readonly model: string }>) => models.map(({ model }) => model)

  over(
    "are scored by their last opinion up to the last capture before the actual close, on the rows that are scored for us",
    Effect.gen(function* () {
      const { settle } = yield* ContractStore
      yield* opine("acct_a", "rain", { [t(0)]: 0.2, [t(1)]: 0.1, [other]: 0.4, [t(2)]: 0.9 })
      yield* opine("acct_b", "sun", { [t(2)]: 0.9 })
      yield* TestClock.setTime(noon + hour)
      yield* opine("acct_a", "rain", { [t(0)]: 0.7 })
      yield* capture(open, noon + hour)
      yield* signCheckpoint
      yield* TestClock.setTime(noon + 3 * hour)
      // After the last capture: kept, and not scored.
      yield* opine("acct_a", "rain", { [t(0)]: 0.99, [t(1)]: 0.11 })
      yield* signCheckpoint
      const before = (yield* table).models
      assert.deepStrictEqual(
        before.map(({ model, shared_rows, brier }) => [model, shared_rows, brier]),
        [
          ["rain", 0, undefined],
          ["sun", 0, undefined],
        ],
      )
      yield* TestClock.setTime(close + hour)
      const early = { ticker: t(0), closedAt: noon + 2 * hour, result: "yes" } as const
      yield* settle(
        "kalshi",
        [
          early,
          { ticker: t(1), closedAt: close, result: "no" },
          { ticker: other, closedAt: close, result: "yes" },
          { ticker: t(2), closedAt: close, result: "void" },
        ],
        close + hour,
      )
      const scored = yield* table
      const [rain, sun] = scored.models
      assert.strictEqual(scored.as_of, new Date(close + hour).toISOString())
      assert.deepStrictEqual([rain!.model, rain!.shared_rows, rain!.unscored_rows], ["rain", 3, 0])
      assert.closeTo(rain!.brier!, (0.3 ** 2 + 0.1 ** 2 + 0.6 ** 2) / 3, 5.1e-7)
      assert.closeTo(rain!.brier_model!, 0.25, 1e-12)
      assert.closeTo(rain!.brier_market!, (0.68 ** 2 + 0.32 ** 2 + 0.68 ** 2) / 3, 5.1e-7)
      // Of three contracts there is no interval.
      assert.isUndefined(rain!.difference_to_model)
      const far = (close - noon) / 1_000
      assert.closeTo(rain!.lead_seconds!, (3_600 + 2 * far) / 3, 0.51)
      assert.closeTo(rain!.capture_lead_seconds!, (3_600 + 2 * (far - 3_600)) / 3, 0.51)
      // A void contract is not scored.
      assert.deepStrictEqual([sun!.model, sun!.shared_rows, sun!.unscored_rows, sun!.brier], ["sun", 0, 0, undefined])

      // A corrected result counts anew, and a withdrawn model stays.
      yield* withdraw("acct_a", "rain")
      yield* settle("kalshi", [{ ...early, result: "no" }], close + 2 * hour)
      const [corrected] = (yield* table).models
      assert.strictEqual(corrected!.status, "withdrawn")
      assert.closeTo(corrected!.brier!, (0.7 ** 2 + 0.1 ** 2 + 0.6 ** 2) / 3, 5.1e-7)
      assert.deepStrictEqual([corrected!.shared_rows, corrected!.lead_seconds], [3, rain!.lead_seconds])
    }),
    open,
  )

  over(
    "gain nothing by being late: an opinion a millisecond before the close is not compared with the capture of the day before",
    Effect.gen(function* () {
      yield* opine("acct_b", "honest", { [t(0)]: 0.5 })
      yield* signCheckpoint
      yield* TestClock.setTime(noon + 1)
      yield* opine("acct_a", "sniper", { [t(0)]: 0.9 })
      yield* opine("acct_b", "honest", { [t(0)]: 0.6 })
      yield* signCheckpoint
      yield* TestClock.setTime(close - 1)
      yield* opine("acct_a", "sniper", { [t(0)]: 1 })
      yield* settledAtClose("yes", t(0))
      const [honest, sniper] = (yield* table).models
      assert.deepInclude(honest, { model: "honest", shared_rows: 1, unscored_rows: 0, brier: 0.25, brier_model: 0.25 })
      assert.deepInclude(sniper, { model: "sniper", shared_rows: 0, unscored_rows: 1 })
      assert.doesNotHaveAnyKeys(sniper, ["brier", "brier_market", "lead_seconds", "difference_to_market"])
    }),
  )

  over(
    "are not scored by what they read at the venue before they buy a capture with the quotes of the last poll",
    Effect.gen(function* () {
      yield* opine("acct_a", "reader", { [t(0)]: 0.3 })
      yield* TestClock.setTime(noon + hour)
      yield* opine("acct_a", "reader", { [t(0)]: 1 })
      yield* signCheckpoint
      yield* capture(open, noon + hour + 20_000, noon + hour - 1)
      yield* settledAtClose("yes", t(0))
      const [reader] = (yield* table).models
      assert.deepStrictEqual([reader!.shared_rows, reader!.lead_seconds], [1, (close - noon) / 1_000])
      assert.closeTo(reader!.brier!, 0.49, 1e-12)
    }),
  )

  over(
    "are scored by the last opinion that a checkpoint covers before the close, and by none without one",
    Effect.gen(function* () {
      yield* opine("acct_a", "some", { [t(0)]: 0.3 })
      yield* signCheckpoint
      yield* TestClock.setTime(close - 2)
      yield* opine("acct_a", "some", { [t(0)]: 0.4 })
      yield* opine("acct_b", "none", { [t(0)]: 0.4 })
      yield* capture(open, close - 1)
      yield* TestClock.setTime(close)
      yield* signCheckpoint
      yield* settledAtClose("yes", t(0))
      const [some, none] = (yield* table).models
      assert.closeTo(some!.brier!, 0.49, 1e-12)
      assert.deepStrictEqual([none!.model, none!.shared_rows, none!.unscored_rows], ["none", 0, 1])
    }),
  )

  over(
    "say how many models their account has entered and withdrawn, and not which",
    Effect.gen(function* () {
      for (const model of ["one", "two", "three"]) yield* opine("acct_a", model, { [t(0)]: 0.5 })
      yield* opine("acct_b", "four", { [t(0)]: 0.5 })
      yield* withdraw("acct_a", "two")
      const { models } = yield* table
      assert.deepStrictEqual(named(models), ["four", "one", "three", "two"])
      assert.deepStrictEqual(
        models.map((model) => [model.account_models_entered, model.account_models_withdrawn]),
        [
          [1, 0],
          [3, 1],
          [3, 1],
          [3, 1],
        ],
      )
      assert.notInclude(JSON.stringify(models), "acct_")
    }),
  )

  over(
    "are what a whole reading of the history gives, after each settlement and in a program that begins with all of them",
    Effect.gen(function* () {
      const { integer } = xoshiro128(84)
      const models = ["alpha", "beta", "gamma"]
      const contracts = many(12)
      const { yesBid, yesAsk } = contracts[0]!.bidAsk
      const captured = (capturedAt: number, quotedAt: number): Scored => ({
        ...{ domain: "weather", event: contracts[0]!.event, model: 500_000, market: (yesBid + yesAsk) * 50 },
        ...{ happened: true, capturedAt, quotedAt, closeTime: close },
      })
      const said = new Map<string, Array<Opinion>>()
      const [signedAt, captures]: [Array<number>, Array<Scored>] = [[], [captured(noon, noon)]]
      for (let at = noon + 1; at < noon + 240; at += 1 + integer(3)) {
        yield* TestClock.setTime(at)
        const action = integer(8)
        if (action === 0) {
          const quotedAt = at - integer(12)
          yield* capture(contracts, at, quotedAt)
          captures.push(captured(at, quotedAt))
        } else if (action === 1) {
          yield* signCheckpoint
          signedAt.push(at)
        } else {
          const [model, ticker, p] = [models[integer(3)]!, t(integer(12)), integer(100)]
          const before = said.get(`${model} ${ticker}`) ?? []
          if (before.at(-1)?.p !== p * 10_000) before.push({ p: p * 10_000, at })
          said.set(`${model} ${ticker}`, before)
          yield* opine("acct_a", model, { [ticker]: p / 100 })
        }
      }
      const sums = new Map(models.map((model) => [model, Challengers.empty()]))
      for (let at = 0; at < contracts.length; at++) {
        const closedAt = noon + 20 + integer(220)
        yield* TestClock.setTime(close + at)
        yield* (yield* ContractStore).settle("kalshi", [{ ticker: t(at), closedAt, result: "yes" }], close + at)
        const last = lastBeforeClose(
          captures.map((one) => ({ ...one, at: one.capturedAt })),
          closedAt,
        )!
        const row = { ...last, closeTime: closedAt }
        for (const model of models) {
          const opinions = (said.get(`${model} ${t(at)}`) ?? []).map((one) => ({
            ...one,
            ...ifDefined(
              "anchoredAt",
              signedAt.find((signed) => signed > one.at),
            ),
          }))
          if (opinions.length > 0) {
            const own = sums.get(model)!
            Challengers.add(own, row, opinions.filter((one) => Challengers.isComparable(one, row)).at(-1))
          }
        }
        if (at % 5 === 0) yield* table
      }
      const expected = models.map((model) => {
        const scores = Challengers.challengerScores(sums.get(model)!)!
        return [
          model,
          scores.shared,
          sums.get(model)!.unscored,
          round(scores.challenger!, decimals.ratio),
          round(scores.lead / 1_000, decimals.seconds),
        ]
      })
      assert.isAbove(
        expected.reduce((sum, [, shared]) => sum + Number(shared), 0),
        5,
      )
      assert.isAbove(
        expected.reduce((sum, [, , unscored]) => sum + Number(unscored), 0),
        5,
      )
      const shown = Effect.map(table, (found) =>
        [...found.models]
          .sort((a, b) => (a.model < b.model ? -1 : 1))
          .map((one) => [one.model, one.shared_rows, one.unscored_rows, one.brier, one.lead_seconds]),
      )
      assert.deepStrictEqual(yield* shown, expected)
      const { challengers } = yield* Effect.provide(Challenge, Layer.fresh(challenge.layer))
      assert.deepStrictEqual(yield* Effect.map(challengers, (found) => found.challengers.map((one) => one.sums.lead)), [
        ...[...sums.values()].map(({ lead }) => lead),
      ])
    }),
    many(12),
  )

  over(
    "have receipts once their markets close, newest first and in pages, with the rows that they are scored on",
    Effect.gen(function* () {
      const { receipts } = yield* Challenge
      yield* opine("acct_a", "rain", { [t(0)]: 0.2, [t(1)]: 0.1 })
      yield* TestClock.setTime(noon + hour)
      yield* opine("acct_a", "rain", { [t(0)]: 0.7 })
      yield* opine("acct_b", "sun", { [t(0)]: 0.5 })
      yield* capture(open, noon + hour)
      yield* signCheckpoint
      // A leaf that is sealed does not tell whose it is.
      assert.deepStrictEqual(yield* receipts("rain", undefined, close - 1, 9), [])
      yield* settledAtClose("yes", t(0))
      const first = yield* receipts("rain", undefined, close + hour, 2)
      assert.deepStrictEqual(
        first.map(({ ticker, p, at, row }) => [ticker, p, at, row?.result]),
        [
          [t(0), 700_000, noon + hour, "yes"],
          [t(1), 100_000, noon, undefined],
        ],
      )
      const rest = yield* receipts("rain", first[1], close + hour, 2)
      assert.deepStrictEqual(
        rest.map(({ ticker, p, row }) => [ticker, p, row?.model]),
        [[t(0), 200_000, first[0]!.row!.model]],
      )
    }),
  )
})
