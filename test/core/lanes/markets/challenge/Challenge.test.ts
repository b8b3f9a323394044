import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { CurrentCaller } from "../../../../../core/account/CurrentCaller.ts"
import * as Lane from "../../../../../core/lanes/Lane.ts"
import { Challenge, type ListedContract, type Refusal } from "../../../../../core/lanes/markets/challenge/Challenge.ts"
import { benchContracts, benchOpinions, benchWithdraw } from "../../../../../core/lanes/markets/challenge/endpoints.ts"
import type { OpenContracts } from "../../../../../core/lanes/markets/ports.ts"
import { contract, noon } from "../../../../support/contracts.ts"

const hour = 3_600_000
const soon = contract({ ticker: "SOON", closeTime: noon + hour / 2 })
const late = contract({ ticker: "LATE" })
const over = contract({ ticker: "OVER", closeTime: noon })
const twins = ["kalshi", "polymarket"].map((venue) => contract({ ticker: "TWIN", venue }))
const open = {
  freshness: "live",
  open: Effect.succeed({ contracts: [late, soon, over, ...twins] }),
} as unknown as typeof OpenContracts.Service

const none = Effect.runSync(Effect.provide(Challenge, Challenge.layerNone))
const recorded = { _tag: "Recorded", leaves: ["leaf_1", "leaf_2"], left: 998 } as const
const challenge = (changes: Partial<typeof Challenge.Service> = {}): typeof Challenge.Service => ({
  ...none,
  ...changes,
})

const as = <A, E>(work: Effect.Effect<A, E, CurrentCaller>, livemode = true) =>
  Effect.provideService(work, CurrentCaller, {
    caller: { accountId: "acct_1", keyId: "key_1", livemode, perMinute: 60 },
    startedAt: noon,
  })
type Said = ReadonlyArray<{ readonly market: string; readonly venue?: string; readonly prob: number }>
const opine = (port: typeof Challenge.Service, opinions: Said, livemode = true) =>
  as(Lane.method(benchOpinions, { contracts: open, challenge: port })({ model: "rain", opinions }), livemode)

describe("the contracts that take opinions", () => {
  it.effect("are the open ones of a domain, the next close first, with those to practise on", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const practice: ListedContract = { ...contract({ ticker: "PRACTICE", closeTime: noon + hour }) }
      const list = Lane.method(benchContracts, {
        contracts: open,
        challenge: challenge({ practiceContracts: () => [practice] }),
      })
      const tickers = ({ results }: Effect.Effect.Success<ReturnType<typeof list>>) =>
        results.contracts.map(({ market }) => market)
      assert.deepStrictEqual(tickers(yield* list({ domain: "weather" })), ["SOON", "PRACTICE", "LATE", "TWIN", "TWIN"])
      assert.deepStrictEqual(tickers(yield* list({ domain: "nfl" })), [])
    }),
  )
})

describe("opinions", () => {
  it.effect("are recorded in whole millionths, each with its leaf and the next capture before its close", () =>
    Effect.gen(function* () {
      const submitted: Array<unknown> = []
      const submit: (typeof Challenge.Service)["submit"] = (author, model, opinions) =>
        Effect.sync(() => {
          submitted.push(author, model, ...opinions.map(({ contract: { ticker }, p }) => [ticker, p]))
          return recorded
        })
      const opinions = [
        { market: "SOON", prob: 0.1234567 },
        { market: "LATE", prob: 1 },
      ]
      const { results } = yield* opine(challenge({ submit }), opinions)
      assert.deepStrictEqual(submitted, [{ accountId: "acct_1" }, "rain", ["SOON", 123_457], ["LATE", 1_000_000]])
      assert.deepStrictEqual(
        results.opinions.map(({ prob, leaf_id, next_capture_at }) => [prob, leaf_id, next_capture_at]),
        [
          [0.123457, "leaf_1", undefined],
          [1, "leaf_2", "2026-07-11T13:00:00.000Z"],
        ],
      )
      assert.deepStrictEqual([results.recorded, results.opinions_left], [true, 998])
    }),
  )

  it.effect("are refused all together, with a hint for each that is wrong", () =>
    Effect.gen(function* () {
      const closeTimes = () => Effect.succeed(new Map([["GONE", noon - hour]]))
      const opinions = ["LATE", "LATE", "OVER", "GONE", "NEVER", "TWIN"].map((market) => ({ market, prob: 0.5 }))
      const port = challenge({ closeTimes, submit: () => Effect.dieMessage("submitted") })
      const { code, hints } = yield* Effect.flip(opine(port, opinions))
      assert.strictEqual(code, "invalid_request_body")
      assert.deepStrictEqual(
        hints!.map(({ field, action }) => [field, action]),
        [
          ["opinions.1.market", "remove"],
          ["opinions.2.market", "remove"],
          ["opinions.3.market", "remove"],
          ["opinions.4.market", "change"],
          ["opinions.5.venue", "add"],
        ],
      )
      const elsewhere = yield* Effect.flip(opine(port, [{ market: "LATE", venue: "polymarket", prob: 0.5 }]))
      assert.deepStrictEqual([elsewhere.hints![0]!.field, elsewhere.hints![0]!.action], ["opinions.0.venue", "change"])
    }),
  )

  it.effect("of one venue are told from those of another by its name", () =>
    Effect.gen(function* () {
      const { results } = yield* opine(challenge(), [{ market: "TWIN", venue: "polymarket", prob: 0.5 }])
      assert.strictEqual(results.opinions[0]!.venue, "polymarket")
    }),
  )

  const refusals: ReadonlyArray<readonly [Refusal, code: string, words: string]> = [
    [{ _tag: "Owned" }, "invalid_request_body", "belongs to another account"],
    [{ _tag: "Withdrawn", at: noon }, "invalid_request_body", "was withdrawn permanently at 2026-07-11T12:00:00.000Z"],
    [{ _tag: "Models" }, "invalid_request_body", "5 models"],
    [{ _tag: "Closed", closed: [{ index: 0, closeTime: noon }] }, "invalid_request_body", "Remove LATE"],
    [{ _tag: "Day", used: 999, fresh: 2 }, "rate_limit_exceeded", "999 of 1,000 opinions"],
  ]
  it.effect.each(refusals)("that the store refuses are none: %j", ([refusal, code, words]) =>
    Effect.gen(function* () {
      const port = challenge({ submit: () => Effect.succeed(refusal) })
      const failure = yield* Effect.flip(opine(port, [{ market: "LATE", prob: 0.5 }]))
      assert.strictEqual(failure.code, code)
      assert.include(failure.detail ?? failure.hints![0]!.suggestion, words)
      assert.strictEqual(failure.retryAfterMs, code === "rate_limit_exceeded" ? 12 * hour : undefined)
    }),
  )

  it.effect("of a test key, or where the lane is generated, are checked and not kept", () =>
    Effect.gen(function* () {
      const opinions = [{ market: "LATE", prob: 0.5 }]
      const why = (port: typeof Challenge.Service, livemode?: boolean) =>
        Effect.map(opine(port, opinions, livemode), ({ results }) => [results.recorded, results.reason!.split(".")[0]])
      assert.deepStrictEqual(yield* why(challenge(), false), [false, "Test keys record nothing"])
      assert.deepStrictEqual(yield* why(challenge()), [false, "This server records no opinions"])
      assert.include((yield* why(challenge({ freshness: "mock" })))[1] as string, "is not live")
    }),
  )
})

describe("a model", () => {
  const withdraw = (done: Effect.Effect.Success<ReturnType<(typeof Challenge.Service)["withdraw"]>>) =>
    as(
      Lane.method(benchWithdraw, { challenge: challenge({ withdraw: () => Effect.succeed(done) }) })({ model: "rain" }),
    )

  it.effect("is withdrawn by its own account, at the time that is kept", () =>
    Effect.gen(function* () {
      const withdrawn = yield* withdraw({ _tag: "Withdrawn", at: noon })
      assert.deepInclude(withdrawn.results, { recorded: true, withdrawn_at: "2026-07-11T12:00:00.000Z" })
      assert.notProperty(withdrawn.results, "reason")
      assert.deepStrictEqual(withdrawn.reasoning, ["Withdrew rain; its scores stay."])
      assert.deepStrictEqual(withdrawn.citations, [{ step: 1, source: "challengers", locator: "/v1/bench/models" }])
      assert.strictEqual(withdrawn.confidence.score, 1)
      const kept = yield* withdraw(undefined)
      assert.isFalse(kept.results.recorded)
      assert.deepStrictEqual(kept.reasoning, ["Nothing was recorded for rain."])
      assert.strictEqual((yield* Effect.flip(withdraw({ _tag: "Owned" }))).code, "invalid_request_body")
      assert.strictEqual((yield* Effect.flip(withdraw({ _tag: "Unknown" }))).code, "not_found")
    }),
  )
})
