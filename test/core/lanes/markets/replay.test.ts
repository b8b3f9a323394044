// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as contracts from "../../../../adapters/lanes/markets/store/Contracts.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import * as captures from "../../../../adapters/store/record/Captures.ts"
import { layerScoreboard } from "../../../../adapters/store/record/Settled.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { recomputations } from "../../../../core/lanes/all.ts"
import { Baseball } from "../../../../core/lanes/baseball/Baseball.ts"
import { Crypto } from "../../../../core/lanes/crypto/Crypto.ts"
import { Football } from "../../../../core/lanes/football/Football.ts"
import { ContractStore } from "../../../../core/lanes/markets/ports.ts"
import { capture, refresh } from "../../../../core/lanes/markets/rounds.ts"
import { Weather } from "../../../../core/lanes/weather/Weather.ts"
import { type Recompute, recomputeLeaf } from "../../../../core/record/captures/recompute.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { unpublished } from "../../../../core/record/scoreboard/anchorWeight.ts"
import { domains } from "../../../../core/record/scoreboard/Settled.ts"
import { pricedAt, tradingAt } from "../../../support/knownWorld/open.ts"
import * as mockVenue from "../../../support/knownWorld/venue.ts"
import { bought, inStore } from "../../../support/record.ts"
import { listing, now, recorded, venue } from "../../../support/recordedLanes.ts"

const leaves = Effect.gen(function* () {
  const log = yield* RecordLog
  return (yield* log.range(0, yield* log.size)).map(({ id, text }) => ({ id, ...JSON.parse(text) }))
})

/** What a leaf is: how its signal came about, and whether a venue listed what it says. */
const nameOf = ({ kind, body }: { kind: string; body: Record<string, unknown> }): string =>
  [
    body["endpoint"],
    body["trigger"] ?? kind,
    ...((body["quotes"] as Array<unknown> | undefined)?.length ? ["beside a contract"] : []),
  ].join()

const count = (table: string) =>
  Effect.map(Sqlite, ({ db }) => db.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number)

/** Every signal that leaves a leaf: of a call before anybody lists it, of the hour's job, of a call beside a book. */
const everything = Effect.gen(function* () {
  yield* TestClock.setTime(now)
  const { contracts, gamePk, strike } = yield* listing
  yield* bought(yield* (yield* Crypto).signal({ asset: "BTC", horizon_minutes: 60 }), "req_1")
  yield* bought(yield* (yield* Football).fairLine({ team: "KC" }), "req_2")
  const before = yield* count("record_inputs")
  const { publish } = yield* ContractStore
  yield* publish("2026-09-11", { ...unpublished.weights, nfl: { weight: 0.25, rows: 400 } })
  assert.strictEqual((yield* Effect.provide(refresh, venue(contracts))).done, contracts.length)
  assert.strictEqual(yield* count("record_inputs"), before)
  const round = yield* Effect.provide(capture(now), venue(contracts))
  assert.deepStrictEqual([round.done, round.warnings], [contracts.length, []])
  yield* TestClock.adjust("20 seconds")
  const { signal } = yield* Weather
  yield* bought(yield* signal({ station: "KNYC", target: "2026-09-12" }), "req_3")
  yield* bought(yield* (yield* Football).fairLine({ team: "KC" }), "req_4")
  yield* bought(yield* (yield* Baseball).fairOdds({ game_pk: gamePk }), "req_5")
  yield* bought(yield* (yield* Crypto).signal({ asset: "BTC", horizon_minutes: 60, strikes: [strike, 1] }), "req_6")
  yield* TestClock.adjust("400 days")
})

describe("signals on the record", () => {
  it.effect(
    "give the same bytes again, a year later and from what was kept alone",
    () =>
      Effect.gen(function* () {
        yield* everything
        const found = yield* leaves
        assert.deepStrictEqual(found.map(nameOf), [
          "crypto_signal,on_demand",
          "nfl_fair_line,on_demand",
          "weather_signal,scheduled,beside a contract",
          "nfl_fair_line,scheduled,beside a contract",
          "mlb_fair_odds,scheduled,beside a contract",
          "crypto_signal,scheduled,beside a contract",
          "weather_signal,on_demand,beside a contract",
          "nfl_fair_line,on_demand,beside a contract",
          "mlb_fair_odds,on_demand,beside a contract",
          "crypto_signal,on_demand,beside a contract",
        ])
        for (const leaf of found) {
          const { equal, recorded, recomputed } = yield* recomputeLeaf(leaf.id, recomputations)
          assert.isTrue(equal, `${nameOf(leaf)}: ${recorded} is now ${recomputed}`)
          assert.deepStrictEqual(JSON.parse(recomputed), leaf.body.output)
          // The weight beside each price, as it was published then.
          for (const quote of leaf.body.quotes) {
            assert.strictEqual(quote.pool_weight, leaf.lane === "football" ? 0.25 : 0, nameOf(leaf))
          }
        }

        // A call and the hour's job say the same of one subject, from the same inputs.
        const [, first, ...captures] = found
        for (const [at, scheduled] of captures.slice(0, 4).entries()) {
          const called = captures[at + 4]!
          assert.deepStrictEqual([called.lane, called.subject], [scheduled.lane, scheduled.subject])
          assert.deepStrictEqual(
            called.body.quotes.map(({ ticker }: { ticker: string }) => ticker),
            scheduled.body.quotes.map(({ ticker }: { ticker: string }) => ticker),
          )
        }
        assert.strictEqual(captures[1].body.inputs_hash, first.body.inputs_hash)
        // Calls on a price are never what is scored.
        assert.strictEqual(
          yield* count(
            "captured_contracts JOIN captures ON id = capture_id WHERE kind = 'on_demand' AND lane = 'crypto'",
          ),
          0,
        )
        assert.strictEqual(yield* count("captured_contracts"), 11)
      }).pipe(Effect.provide(recorded)),
    60_000,
  )

  /** A text that is part of what each was computed from, and not the whole of it. */
  const parts = [
    ["weather_signal", '%"maxima":%'],
    ["crypto_signal", "[%"],
    ["nfl_fair_line", '{"before":null,%'],
  ] as const
  it.effect(
    "are refused where a byte of their inputs, or of a part of them, is another",
    () =>
      Effect.gen(function* () {
        yield* everything
        const { db } = yield* Sqlite
        db.exec("DROP TRIGGER record_inputs_no_update; DROP TRIGGER record_inputs_no_delete")
        const found = yield* leaves
        const broken = (id: string) =>
          Effect.map(Effect.exit(recomputeLeaf(id, recomputations)), (exit) =>
            Exit.isFailure(exit) ? Cause.pretty(exit.cause) : assert.fail(`${id} was computed again`),
          )
        for (const [endpoint, text] of parts) {
          const { id } = found.find(({ body }) => body.endpoint === endpoint)!
          const wholes = "SELECT json_extract(text, '$.body.inputs_hash') FROM record_leaves"
          const where = `text LIKE '${text}' AND hash NOT IN (${wholes})`
          const changed = db
            .prepare(`UPDATE record_inputs SET text = replace(text, ',', ', ') WHERE ${where}`)
            .run().changes
          assert.isAbove(changed, 0, endpoint)
          assert.match(yield* broken(id), /do not match their hash/, endpoint)
          db.prepare(`DELETE FROM record_inputs WHERE ${where}`).run()
          assert.match(yield* broken(id), /are not stored/, endpoint)
        }
        for (const { id, body } of found) {
          db.prepare("UPDATE record_inputs SET text = text || ' ' WHERE hash = ?").run(body.inputs_hash)
          assert.match(yield* broken(id), /do not match their hash/, body.endpoint)
        }
      }).pipe(Effect.provide(recorded)),
    60_000,
  )
})

describe("captures of a generated venue", () => {
  /** The world's opinion of an event again, at the instant that was kept. */
  const recompute: Recompute = (_, kept) =>
    Effect.sync(() => {
      const { event: ticker, at } = kept as { readonly event: string; readonly at: number }
      const event = domains.flatMap((domain) => tradingAt(domain, at)).find((one) => one.ticker === ticker)!
      return Object.fromEntries(event.contracts.map((each) => [each.ticker, pricedAt(event, each, at).model]))
    })

  it.effect("are computed again like those of real ones", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { done } = yield* capture(now)
      assert.isAbove(done, 100)
      yield* TestClock.adjust("1 day")
      const found = yield* leaves
      for (const { id } of found) {
        assert.isTrue((yield* recomputeLeaf(id, new Map([["markets_edge", recompute]]))).equal, id)
      }
      assert.strictEqual(yield* count("record_inputs"), found.length)
      assert.isAbove(yield* Clock.currentTimeMillis, now)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(captures.layer, contracts.layerStore, layerScoreboard, Feeds.layerNone, mockVenue.layer()).pipe(
          Layer.provideMerge(Layer.merge(inStore(), secrets.layer)),
        ),
      ),
    ),
  )
})
