import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { parquetReadObjects } from "hyparquet"
import * as contracts from "../../../../../adapters/lanes/markets/store/Contracts.ts"
import * as history from "../../../../../adapters/lanes/markets/store/History.ts"
import * as secrets from "../../../../../adapters/runtime/node/secrets.ts"
import * as captures from "../../../../../adapters/store/record/Captures.ts"
import * as sqlSettled from "../../../../../adapters/store/record/Settled.ts"
import { exportTo } from "../../../../../adapters/web/scoreboard/exported.ts"
import type { Recordable } from "../../../../../core/call/Recordable.ts"
import { parse } from "../../../../../core/call/Subject.ts"
import type { Priced, VenueResult } from "../../../../../core/contracts/Contract.ts"
import { pricings } from "../../../../../core/lanes/all.ts"
import {
  type CapturePlace,
  ContractStore,
  MarketHistory,
  OpenContracts,
  Scoreboard,
  SettledRows,
} from "../../../../../core/lanes/markets/ports.ts"
import * as recorder from "../../../../../core/lanes/markets/recorder.ts"
import { toRecordedQuote } from "../../../../../core/lanes/markets/rounds.ts"
import { type Captured, Captures } from "../../../../../core/record/captures/Captures.ts"
import { Recorder } from "../../../../../core/record/captures/Recorder.ts"
import { RecordInputs, toInputs } from "../../../../../core/record/captures/RecordInputs.ts"
import { RecordLog } from "../../../../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../../../../core/record/log/signCheckpoint.ts"
import { unpublished } from "../../../../../core/record/scoreboard/anchorWeight.ts"
import { findPair, pairScores } from "../../../../../core/record/scoreboard/scores.ts"
import { inAnyStore } from "../../../../support/anyStore.ts"
import { captured as capturedBeside } from "../../../../support/captures.ts"
import { book, contract, noon } from "../../../../support/contracts.ts"
import { folder } from "../../../../support/store.ts"

const minute = 60_000
const hour = 60 * minute

const fresh = (recording: ReturnType<typeof recorder.layer> = recorder.layer(pricings)) =>
  Layer.mergeAll(
    captures.layer,
    contracts.layerOpenContracts([
      { venue: "kalshi", domain: "weather" },
      { venue: "polymarket", domain: "crypto" },
    ]),
    history.layer,
    sqlSettled.layerSettledRows,
    recording.pipe(Layer.provideMerge(Layer.merge(contracts.layerStore, sqlSettled.layerScoreboard))),
  ).pipe(Layer.provideMerge(secrets.layer), Layer.provideMerge(inAnyStore))

const close = contract().closeTime
const ticker = contract().ticker

/** A capture of a slot with contracts. */
const captured = (at: number, ...changes: ReadonlyArray<Partial<Priced>>): Captured<Priced> => {
  const all = (changes.length === 0 ? [{}] : changes).map(contract)
  return capturedBeside(
    {
      id: `capture_${at}`,
      lane: "weather",
      endpoint: "weather_signal",
      subject: "KNYC/2026-07-12",
      at,
      quotes: all.map(toRecordedQuote),
      closeTime: close,
      sealedUntil: close,
    },
    { contracts: all },
  )
}

/** How many contracts were captured. */
const take = (...all: ReadonlyArray<Captured>) =>
  Effect.flatMap(Captures, (port) =>
    Effect.map(port.append(all), (taken) => taken.flatMap(({ contracts: each }) => each).length),
  )

const settle = (outcome: Partial<VenueResult> = {}, now = close + hour) =>
  Effect.flatMap(ContractStore, (store) =>
    store.settle("kalshi", [{ ticker, closedAt: close, result: "yes", ...outcome }], now),
  )

const rows = Effect.flatMap(SettledRows, ({ after }) => after("weather", undefined, 100))

const counts = Effect.map(
  Effect.flatMap(Scoreboard, ({ current }) => current),
  ({ board }) => board.counts.get("weather"),
)

describe("open contracts", () => {
  it.effect("are what a venue listed last, domain by domain", () =>
    Effect.gen(function* () {
      const { replace } = yield* ContractStore
      const { open } = yield* OpenContracts
      assert.deepStrictEqual((yield* open).contracts, [])
      const game = contract({ ticker: "game", domain: "nfl", lane: "football", subject: "2026_01_KC_LAC" })
      yield* replace("kalshi", "weather", [contract(), contract({ ticker: "b" })], noon)
      yield* replace("kalshi", "nfl", [game], noon)
      assert.strictEqual((yield* open).contracts.length, 3)
      yield* replace("kalshi", "weather", [contract({ model: 1 })], noon + 1)
      const { contracts: found, checkedAt, polls } = yield* open
      assert.strictEqual(checkedAt, noon + 1)
      assert.deepStrictEqual(
        found.toSorted((a, b) => (a.ticker < b.ticker ? -1 : 1)),
        [contract({ model: 1 }), game],
      )
      // Of the followed books; one that was never read has no time.
      assert.deepStrictEqual(polls, [
        { venue: "kalshi", domain: "weather", at: noon + 1 },
        { venue: "polymarket", domain: "crypto" },
      ])
      // Nothing has changed: nothing is read again.
      assert.strictEqual(yield* open, yield* open)
    }).pipe(Effect.provide(fresh())),
  )
})

describe("a captured contract", () => {
  it.effect("is followed until its result, and counted", () =>
    Effect.gen(function* () {
      const { tracking } = yield* OpenContracts
      const { due, replace } = yield* ContractStore
      yield* replace("kalshi", "weather", [contract()], noon)
      assert.strictEqual(yield* take(captured(noon), captured(noon + hour)), 2)
      yield* TestClock.setTime(noon)
      assert.deepStrictEqual(yield* tracking, { openTracked: 1, awaitingSettlement: 0 })
      assert.deepStrictEqual(yield* due(noon, 0), [])
      yield* TestClock.setTime(close)
      assert.deepStrictEqual(yield* tracking, { openTracked: 0, awaitingSettlement: 1 })
      assert.deepStrictEqual(yield* due(close, 0), [{ venue: "kalshi", ticker }])
      assert.strictEqual(yield* settle(), 1)
      assert.deepStrictEqual(yield* tracking, { openTracked: 0, awaitingSettlement: 0 })
      // A result may change for some days; later it is not polled.
      assert.strictEqual((yield* due(close + hour, close)).length, 1)
      assert.deepStrictEqual(yield* due(close + 9 * hour, close + 8 * hour), [])
    }).pipe(Effect.provide(fresh())),
  )

  it.effect("that the venue no longer lists is due before its announced close", () =>
    Effect.gen(function* () {
      const { due, replace } = yield* ContractStore
      yield* replace("kalshi", "weather", [contract()], noon)
      yield* take(captured(noon))
      yield* replace("kalshi", "weather", [], noon + minute)
      assert.deepStrictEqual(yield* due(noon + minute, 0), [{ venue: "kalshi", ticker }])
    }).pipe(Effect.provide(fresh())),
  )

  it.effect("is captured once for a slot, with its leaf", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* take(captured(noon, {}, { ticker: "b" })), 2)
      assert.strictEqual(yield* take({ ...captured(noon), capture: { ...captured(noon).capture, id: "again" } }), 0)
      const log = yield* RecordLog
      assert.strictEqual(yield* log.size, 1)
      const { text } = (yield* log.leafAt(0))!
      const { body } = JSON.parse(text)
      assert.strictEqual(body.close_time, close)
      assert.deepStrictEqual(
        body.quotes.map((quote: { ticker: string }) => quote.ticker),
        [ticker, "b"],
      )
    }).pipe(Effect.provide(fresh())),
  )

  it.effect("is refused by the store itself at its close", () =>
    Effect.gen(function* () {
      const late = captured(noon, { closeTime: noon })
      assert.strictEqual((yield* Effect.exit(take(late)))._tag, "Failure")
      assert.strictEqual(yield* (yield* RecordLog).size, 0)
    }).pipe(Effect.provide(fresh())),
  )
})

describe("the weights beside the prices", () => {
  it.effect("are 0 until some are published, then the newest; those of a day stay as they were published first", () =>
    Effect.gen(function* () {
      const [{ publish }, { weights }, sql] = [yield* ContractStore, yield* Scoreboard, yield* SqlClient.SqlClient]
      assert.deepStrictEqual(yield* weights, unpublished)
      const { weather: none } = unpublished.weights
      const some = {
        weather: { weight: 0.312345, fitted: 0.312345, improvement: { value: 0.02, low: 0.01, high: 0.03 }, rows: 845 },
        nfl: { weight: 0, fitted: 0.1, rows: 7 },
        mlb: none,
        crypto: none,
      }
      yield* publish("2026-07-11", some)
      yield* publish("2026-07-11", { ...some, weather: none })
      assert.deepStrictEqual(yield* weights, { day: "2026-07-11", weights: some })
      yield* publish("2026-07-12", unpublished.weights)
      assert.deepStrictEqual(yield* weights, { day: "2026-07-12", ...unpublished })
      for (const change of ["UPDATE pool_weights SET weight = 1", "DELETE FROM pool_weights"]) {
        assert.match(String((yield* Effect.flip(sql.unsafe(change))).cause), /append-only/)
      }
    }).pipe(Effect.provide(fresh())),
  )
})

describe("settlement", () => {
  it.effect("takes the last capture before the actual close, and anchors it", () =>
    Effect.gen(function* () {
      yield* take(captured(noon, { model: 100_000 }), captured(noon + hour, { model: 200_000 }))
      yield* TestClock.setTime(noon + hour + minute)
      yield* signCheckpoint
      yield* take(captured(noon + 2 * hour, { model: 300_000 }))
      // It closed early: at the very instant of the third capture.
      assert.strictEqual(yield* settle({ closedAt: noon + 2 * hour }), 1)
      const [row] = yield* rows
      assert.deepInclude(row, {
        model: 200_000,
        capturedAt: noon + hour,
        closeTime: noon + 2 * hour,
        settledAt: close + hour,
        captureId: `capture_${noon + hour}`,
        anchored: true,
        result: "yes",
        feeRate: 700,
      })
    }).pipe(Effect.provide(fresh())),
  )

  it.effect("scores the pool by the weight that the capture has, and the record has all that it is computed from", () =>
    Effect.gen(function* () {
      yield* take(captured(noon, { model: 600_000, poolWeight: 0.312345 }))
      yield* settle()
      assert.strictEqual((yield* rows)[0]!.poolWeight, 0.312345)
      const log = yield* RecordLog
      const [capture, settlement] = (yield* log.range(0, 2)).map(({ text }) => JSON.parse(text).body)
      assert.deepStrictEqual([capture.quotes[0].pool_weight, settlement.pool_weight], [0.312345, 0.312345])
      const odds = (millionths: number) => Math.log(millionths / (1e6 - millionths))
      for (const { model, yes_bid, yes_ask, pool_weight } of [capture.quotes[0], settlement]) {
        const market = 50 * (yes_bid + yes_ask)
        const p = 1 / (1 + Math.exp(-(pool_weight * odds(model) + (1 - pool_weight) * odds(market))))
        const { board } = yield* (yield* Scoreboard).current
        assert.closeTo(pairScores(findPair(board, "domain/weather")).pool, (1 - Math.round(p * 1e6) / 1e6) ** 2, 1e-12)
      }
    }).pipe(Effect.provide(fresh())),
  )

  it.effect("says so where no checkpoint is from before the close", () =>
    Effect.gen(function* () {
      yield* take(captured(noon))
      yield* TestClock.setTime(close)
      yield* signCheckpoint
      yield* settle()
      assert.isFalse((yield* rows)[0]!.anchored)
    }).pipe(Effect.provide(fresh())),
  )

  it.effect("waits while our clock is before the close", () =>
    Effect.gen(function* () {
      yield* take(captured(noon))
      assert.strictEqual(yield* settle({}, close - 1), 0)
      assert.deepStrictEqual(yield* rows, [])
      assert.strictEqual((yield* (yield* ContractStore).due(close, 0)).length, 1)
      assert.strictEqual(yield* settle({}, close), 1)
    }).pipe(Effect.provide(fresh())),
  )

  it.effect("scores nothing that was captured after the close, or never", () =>
    Effect.gen(function* () {
      yield* take(captured(noon))
      assert.strictEqual(yield* settle({ closedAt: noon }), 0)
      assert.strictEqual(yield* settle({ ticker: "unknown" }), 0)
      assert.deepStrictEqual(yield* rows, [])
      assert.strictEqual(yield* (yield* RecordLog).size, 1)
    }).pipe(Effect.provide(fresh())),
  )

  const unscored: ReadonlyArray<
    readonly [what: string, changes: Partial<Priced>, outcome: Partial<VenueResult>, name: "void" | "noQuote"]
  > = [
    ["a void result", {}, { result: "void" }, "void"],
    ["no bid", { bidAsk: book(0, 5) }, {}, "noQuote"],
    ["an ask of a dollar", { bidAsk: book(95, 100) }, {}, "noQuote"],
    ["crossed sides", { bidAsk: book(40, 30) }, {}, "noQuote"],
  ]
  for (const [what, changes, outcome, name] of unscored) {
    it.effect(`counts and does not score: ${what}`, () =>
      Effect.gen(function* () {
        yield* take(captured(noon, changes))
        assert.strictEqual(yield* settle(outcome), 1)
        assert.deepStrictEqual(yield* rows, [])
        assert.strictEqual((yield* counts)?.[name], 1)
      }).pipe(Effect.provide(fresh())),
    )
  }
})

describe("a call of a live key", () => {
  const answered: Recordable<unknown> = {
    lane: "weather",
    endpoint: "weather_signal",
    subject: parse("KNYC/2026-07-12"),
    modelVersion: "temperature-t8-1.7",
    at: noon,
    params: { station: "KNYC", target: "2026-07-12" },
    output: () => ({ high: { "89": 1, "90": 0.25 }, low: { "60": 1 } }),
    inputs: toInputs({ grid: [1, 2, 3], official: undefined }),
    closeTime: close,
  }

  /** Records the signal of a call. */
  const call = (record: Recordable<unknown>, requestId = "req_1") =>
    Effect.gen(function* () {
      const offered = yield* (yield* Recorder).capture(record, { requestId, accountId: "acct_1", keyId: "key_1" })
      if (offered !== undefined) yield* take(offered)
      return offered
    })

  it.effect("is captured beside the open contracts on its subject, with its own probability and its inputs", () =>
    Effect.gen(function* () {
      const { replace } = yield* ContractStore
      assert.isUndefined(yield* call(answered))
      const closed = contract({ ticker: "closed", closeTime: noon })
      yield* replace("kalshi", "weather", [closed], noon)
      assert.isUndefined(yield* call(answered))
      yield* replace(
        "kalshi",
        "weather",
        [
          contract(),
          contract({ ticker: "old", quotedAt: noon - 180_000 }),
          closed,
          contract({ ticker: "other", subject: "KNYC/2026-07-13" }),
          contract({ ticker: "unknown", strikeType: "functional" }),
        ],
        noon,
      )
      const offered = (yield* call(answered))!
      assert.strictEqual(offered.contracts.length, 1)
      assert.deepStrictEqual(offered.capture.bought, { requestId: "req_1", accountId: "acct_1", keyId: "key_1" })
      const { id, text, sealedUntil } = (yield* (yield* RecordLog).leafAt(0))!
      assert.deepStrictEqual([id, sealedUntil], [offered.capture.id, close])
      assert.notInclude(text, "req_1")
      assert.notInclude(text, "acct_1")
      const { body } = JSON.parse(text)
      assert.strictEqual(body.trigger, "on_demand")
      assert.deepStrictEqual(
        body.quotes.map((quote: { ticker: string; model: number }) => [quote.ticker, quote.model]),
        [[ticker, 250_000]],
      )
      assert.deepStrictEqual(yield* (yield* RecordInputs).get(body.inputs_hash), { grid: [1, 2, 3] })
      yield* settle()
      assert.deepInclude((yield* rows)[0], { model: 250_000, modelVersion: "temperature-t8-1.7", capturedAt: noon })
    }).pipe(Effect.provide(fresh())),
  )

  it.effect("on a price is on the record beside its contracts, listed or not, and never the row that is scored", () =>
    Effect.gen(function* () {
      const { replace } = yield* ContractStore
      const price = {
        ...answered,
        lane: "crypto",
        output: () => ({ p_above: [{ strike: 89, p_above: 0.25 }] }),
        params: { asset: "BTC", strikes: undefined },
        closeTime: close + hour,
      }
      const listed = { lane: "crypto", quotedAt: noon - hour }
      yield* take(captured(noon - hour, listed))
      assert.deepStrictEqual((yield* call(price, "req_1"))?.contracts, [])
      yield* replace("kalshi", "weather", [contract({ lane: "crypto" }), contract({ ...listed, ticker: "old" })], noon)
      assert.deepStrictEqual((yield* call({ ...price, at: noon + 1 }, "req_2"))?.contracts, [])
      const log = yield* RecordLog
      const entries = yield* log.range(1, 3)
      assert.deepStrictEqual(
        entries.map(({ text, sealedUntil }) => {
          const { trigger, params, quotes, close_time } = JSON.parse(text).body
          const priced = quotes.map((quote: { ticker: string; model: number }) => [quote.ticker, quote.model])
          return { trigger, params, close_time, sealedUntil, quotes: priced }
        }),
        [
          { close_time: close + hour, quotes: [] },
          // It has to be under a checkpoint before the contract closes, and stays its buyer's until its own close.
          { close_time: close, quotes: [[ticker, 250_000]] },
        ].map((each) => ({ trigger: "on_demand", params: { asset: "BTC" }, sealedUntil: close + hour, ...each })),
      )
      assert.strictEqual(yield* settle(), 1)
      assert.deepInclude((yield* rows)[0], { model: 500_000, capturedAt: noon - hour })
    }).pipe(Effect.provide(fresh())),
  )

  const line = { lane: "football", subject: parse("2026_01_KC_LAC"), market: { spread: 7 }, once: true }
  for (const [where, layer] of [
    ["a venue that lists nothing on it", fresh()],
    ["no venue", fresh(recorder.layerAlone(pricings))],
  ] as const) {
    it.effect.each<[what: string, changes: Partial<Recordable<unknown>>, isKept: boolean]>([
      ["a temperature", {}, false],
      ["a price", { lane: "crypto" }, true],
      ["a game with a line", line, true],
      ["a game without one", { lane: "baseball" }, false],
    ])(`beside ${where} is on the record where it is scored without a contract: %s`, ([, changes, isKept]) =>
      Effect.gen(function* () {
        const unread = () => assert.fail("Nobody asked for the inputs.")
        const offered = yield* call({ ...answered, ...changes, ...(isKept ? {} : { inputs: unread }) })
        assert.strictEqual(offered !== undefined, isKept)
        assert.strictEqual(yield* (yield* RecordLog).size, isKept ? 1 : 0)
        if (offered !== undefined) assert.deepInclude(offered, { contracts: [], once: changes.once === true })
      }).pipe(Effect.provide(layer)),
    )
  }

  it.effect("of a lane that prices nothing, or without a record, leaves nothing", () =>
    Effect.gen(function* () {
      const { replace } = yield* ContractStore
      yield* replace("kalshi", "weather", [contract({ lane: "filings" })], noon)
      const inputs = () => assert.fail("Nobody asked for the inputs.")
      assert.isUndefined(yield* call({ ...answered, lane: "filings", inputs }))
      assert.isUndefined(yield* Effect.provide(call({ ...answered, ...line, inputs }), Recorder.layerNone))
      assert.strictEqual(yield* (yield* RecordLog).size, 0)
    }).pipe(Effect.provide(fresh())),
  )
})

describe("the captures of contracts", () => {
  const read = (
    scope: Parameters<(typeof MarketHistory.Service)["captures"]>[0]["scope"],
    limit = 100,
    after?: CapturePlace,
    from = 0,
  ) =>
    Effect.flatMap(MarketHistory, ({ captures }) =>
      captures({ scope, from, until: Number.MAX_SAFE_INTEGER, after, limit }),
    )

  it.effect("are read by contract and by event, page by page, and with the newest result", () =>
    Effect.gen(function* () {
      const event = ticker.slice(0, ticker.lastIndexOf("-"))
      const other = `${event}-OTHER`
      const hours = [5, 3, 1].map((back) => close - back * hour)
      for (const [n, at] of hours.entries()) {
        yield* take(captured(at, { model: 100_000 * (n + 1) }, { ticker: other }, { ticker: `${event}X-1` }))
      }
      const own = yield* read({ market: ticker })
      assert.deepStrictEqual(
        own.map(({ at, contract: { model } }) => [at, model]),
        hours.map((at, n) => [at, 100_000 * (n + 1)]),
      )
      assert.deepStrictEqual(
        (yield* read({ market: ticker }, 100, undefined, hours[1])).map(({ at }) => at),
        hours.slice(1),
      )
      const whole = yield* read({ event })
      assert.lengthOf(whole, 6)
      assert.deepStrictEqual([...new Set(whole.map((one) => one.contract.ticker))], [ticker, other].sort())
      // Whatever the size of a page, the pages are the whole.
      for (const scope of [{ event }, { market: ticker }]) {
        const all = yield* read(scope)
        for (const limit of [1, 2, 4]) {
          const paged: Array<(typeof all)[number]> = []
          let after: CapturePlace | undefined
          for (let page = yield* read(scope, limit); page.length > 0; page = yield* read(scope, limit, after)) {
            paged.push(...page)
            const { at, captureId, contract: last } = page.at(-1)!
            after = { venue: last.venue, ticker: last.ticker, at, captureId }
          }
          assert.deepStrictEqual(paged, all)
        }
      }
      assert.deepStrictEqual(yield* read({ market: "NONE" }), [])
      assert.deepStrictEqual(yield* read({ event: "NONE" }), [])
      const { ends } = yield* MarketHistory
      const asked = [
        { venue: "kalshi", ticker },
        { venue: "kalshi", ticker: other },
      ]
      assert.strictEqual((yield* ends(asked)).size, 0)
      yield* settle()
      yield* settle({ result: "no" }, close + 2 * hour)
      assert.deepStrictEqual(
        [...(yield* ends(asked))],
        [[`kalshi/${ticker}`, { result: "no", settledAt: close + 2 * hour }]],
      )
    }).pipe(Effect.provide(fresh())),
  )

  it.scoped("of settled contracts are exported with a manifest, by which each file is seen to be whole", () =>
    Effect.gen(function* () {
      for (const back of [5, 3, 1]) yield* take(captured(close - back * hour, {}, { ticker: `${ticker}-OPEN` }))
      yield* settle()
      const path = yield* folder
      const listed = yield* exportTo(path)
      assert.deepStrictEqual(
        listed.map(({ name, rows }) => [name, rows]),
        [
          ["settled.ndjson", 1],
          ["settled.parquet", 1],
          ["history.ndjson", 3],
          ["history.parquet", 3],
        ],
      )
      const bytes = (name: string) => readFileSync(join(path, name))
      const manifest = JSON.parse(bytes("manifest.json").toString())
      assert.deepStrictEqual(manifest.files, listed)
      assert.isNotEmpty(manifest.sources)
      for (const { name, sha256, bytes: length } of listed) {
        assert.deepStrictEqual(
          [createHash("sha256").update(bytes(name)).digest("hex"), bytes(name).length],
          [sha256, length],
        )
      }
      const lines = bytes("history.ndjson")
        .toString()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.deepStrictEqual(
        lines.map(({ market, captured_at }) => [market, captured_at]),
        [5, 3, 1].map((back) => [ticker, new Date(close - back * hour).toISOString()]),
      )
      const buffer = Uint8Array.from(bytes("history.parquet")).buffer
      const table = yield* Effect.promise(() => parquetReadObjects({ file: buffer }))
      assert.deepStrictEqual(
        table.map(({ market, captured_at: at, model_prob, yes_bid }) => [
          market,
          (at as Date).toISOString(),
          model_prob,
          yes_bid,
        ]),
        lines.map(({ market, captured_at, model_prob, yes_bid }) => [market, captured_at, model_prob, yes_bid]),
      )
    }).pipe(Effect.provide(fresh())),
  )
})
