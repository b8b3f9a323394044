import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../../../adapters/runtime/node/hasher.ts"
import * as sqlCaptures from "../../../../adapters/store/record/Captures.ts"
import * as sqlOutcomes from "../../../../adapters/store/record/Outcomes.ts"
import * as recordLog from "../../../../adapters/store/record/RecordLog.ts"
import type { JsonObject } from "../../../../core/call/Recordable.ts"
import type { Capture } from "../../../../core/record/captures/Captures.ts"
import { Captures } from "../../../../core/record/captures/Captures.ts"
import { type Outcome, Outcomes, TrackRecord } from "../../../../core/record/captures/Outcomes.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { anyStore } from "../../../support/anyStore.ts"
import { captured } from "../../../support/captures.ts"

const kickoff = 1_000_000
const subject = "2024_03_LV_KC"

/** Records a line unless inputs and market equal those of the last one. */
const append = (id: string, changes: Partial<Capture> = {}) =>
  Effect.flatMap(Captures, ({ append }) =>
    append([
      captured(
        {
          id,
          lane: "football",
          endpoint: "nfl_fair_line",
          subject,
          modelVersion: "m-1",
          kind: "on_demand",
          at: kickoff - 100,
          closeTime: kickoff,
          sealedUntil: kickoff,
          params: { team: "KC" },
          output: { home_margin: 3 },
          market: { spread: 7 },
          inputsHash: "a",
          ...changes,
        },
        { once: true },
      ),
    ]),
  )

const outcome = (captureId: string, revision: number, scores: Outcome["scores"]): Outcome => ({
  captureId,
  revision,
  at: kickoff + revision,
  outcome: { home_score: 20 + revision, away_score: 17 },
  scores,
})

const inMemory = <A, E>(
  effect: Effect.Effect<A, E, Captures | Outcomes | RecordLog | SqlClient.SqlClient | TrackRecord>,
) =>
  Effect.provide(
    effect,
    Layer.mergeAll(sqlCaptures.layer, sqlOutcomes.layer, sqlOutcomes.layerTrackRecord, recordLog.layer).pipe(
      Layer.provideMerge(Layer.merge(anyStore, hasher.layer)),
    ),
  )

const leaves = Effect.flatMap(RecordLog, (log) => Effect.flatMap(log.size, (size) => log.range(0, size)))

describe("the outcomes of captures", () => {
  it.effect("are awaited for every subject that was captured, however often", () =>
    inMemory(
      Effect.gen(function* () {
        const { tally } = yield* TrackRecord
        yield* append("1")
        yield* append("2")
        yield* Effect.all(
          ["3", "4", "5"].map((id) => append(id, { inputsHash: "b" })),
          { concurrency: "unbounded" },
        )
        // The first starter is back: the line that counts must be the last that was given.
        yield* append("6")
        yield* append("7", { subject: "2024_03_BUF_DEN" })
        const ids = (yield* leaves).map(({ id }) => id)
        assert.strictEqual(ids.length, 4)
        assert.deepStrictEqual([ids[0], ids[2], ids[3]], ["1", "6", "7"])
        const { pending, ...none } = yield* tally("football")
        assert.deepStrictEqual(none, { scored: 0, means: {} })
        assert.sameDeepMembers(
          [...pending],
          [subject, "2024_03_BUF_DEN"].map((subject) => ({ subject, firstAt: kickoff - 100 })),
        )
        assert.deepStrictEqual(yield* tally("baseball"), { scored: 0, pending: [], means: {} })
      }),
    ),
  )

  it.effect.each<[what: string, markets: ReadonlyArray<JsonObject>]>([
    ["the same line again", [{ spread: 3 }, { spread: 3 }]],
    ["a line that comes back", [{ spread: 3 }, { spread: 9.5 }, { spread: 3 }]],
    ["a line that is posted", [{}, {}, { spread: 3, total: 40 }]],
    ["a line that is taken down", [{ spread: 3 }, {}]],
  ])("are scored beside the market as it was last seen before the event: %s", ([, markets]) =>
    inMemory(
      Effect.gen(function* () {
        yield* Effect.forEach(markets, (market, n) => append(String(n), { market, at: kickoff - 100 + n }))
        const { scorable } = yield* Outcomes
        assert.deepStrictEqual((yield* scorable("football", subject, kickoff))?.market, markets.at(-1))
        const { tally } = yield* TrackRecord
        assert.deepStrictEqual((yield* tally("football")).pending, [{ subject, firstAt: kickoff - 100 }])
      }),
    ),
  )

  it.effect("are those of the last capture before the event, however the schedule has moved since", () =>
    inMemory(
      Effect.gen(function* () {
        const { scorable, subjects } = yield* Outcomes
        yield* append("1")
        yield* append("2", { inputsHash: "b", at: kickoff - 10, output: { home_margin: 4 } })
        yield* append("3", { inputsHash: "c", at: kickoff + 10, closeTime: kickoff + 20 })
        const counting = (before: number) =>
          Effect.map(scorable("football", subject, before), (found) => found?.captureId)
        assert.deepStrictEqual(
          yield* Effect.all([counting(kickoff + 20), counting(kickoff), counting(kickoff - 10), counting(0)]),
          ["3", "2", "1", undefined],
        )
        assert.deepStrictEqual(yield* scorable("football", subject, kickoff), {
          captureId: "2",
          output: { home_margin: 4 },
          market: { spread: 7 },
        })
        assert.deepStrictEqual(yield* subjects("football"), [subject])
      }),
    ),
  )

  it.effect("are not those of captures without a market of their own", () =>
    inMemory(
      Effect.gen(function* () {
        const { scorable, subjects } = yield* Outcomes
        const captures = yield* Captures
        yield* append("1")
        const job = { lane: "football", at: kickoff - 1 }
        yield* captures.append([captured({ ...job, subject }), captured({ ...job, subject: "beside a venue alone" })])
        assert.strictEqual((yield* scorable("football", subject, kickoff))?.captureId, "1")
        assert.deepStrictEqual(yield* subjects("football"), [subject])
        const { pending } = yield* (yield* TrackRecord).tally("football")
        assert.deepStrictEqual(pending, [{ subject, firstAt: kickoff - 100 }])
      }),
    ),
  )

  it.effect("are all stored, the newest shown, and recorded as settlements and corrections", () =>
    inMemory(
      Effect.gen(function* () {
        const { tally } = yield* TrackRecord
        const outcomes = yield* Outcomes
        yield* append("1")
        yield* append("2", { subject: "other" })
        assert.strictEqual(yield* outcomes.append([]), 0)
        assert.strictEqual(yield* outcomes.append([outcome("1", 1, { mae: 4, brier: 0.2 })]), 1)
        assert.strictEqual(yield* outcomes.append([outcome("1", 1, { mae: 9 })]), 0)
        assert.strictEqual(
          yield* outcomes.append([outcome("1", 2, { mae: 6, brier: 0.4 }), outcome("2", 1, { mae: 2 })]),
          2,
        )
        assert.deepStrictEqual(yield* tally("football"), { scored: 2, pending: [], means: { mae: 4, brier: 0.4 } })
        const newest = outcome("1", 2, { mae: 6, brier: 0.4 })
        assert.deepStrictEqual((yield* outcomes.scorable("football", subject, kickoff))?.outcome, newest)
        const kept = yield* leaves
        assert.deepStrictEqual(
          kept.map(({ id, text, sealedUntil }) => [id, JSON.parse(text).kind, sealedUntil]),
          [
            ["1", "capture", kickoff],
            ["2", "capture", kickoff],
            ["1/1", "settlement", undefined],
            ["1/2", "correction", undefined],
            ["2/1", "settlement", undefined],
          ],
        )
        const { captureId: capture, revision, at, ...body } = newest
        assert.deepStrictEqual(JSON.parse(kept[3]!.text), {
          ...{ v: 1, id: "1/2", kind: "correction", at, lane: "football", subject },
          body: { capture, revision, ...body },
        })
      }),
    ),
  )

  it.effect("are stored all or none: one for an unknown capture rejects the batch", () =>
    inMemory(
      Effect.gen(function* () {
        yield* append("1")
        const { append: settle } = yield* Outcomes
        const settled = yield* Effect.exit(settle([outcome("1", 1, { mae: 1 }), outcome("unknown", 1, { mae: 1 })]))
        assert.strictEqual(settled._tag, "Failure")
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual([(yield* leaves).length, yield* sql`SELECT * FROM capture_outcomes`], [1, []])
      }),
    ),
  )

  it.effect("are none for generated data", () =>
    Effect.gen(function* () {
      const { tally } = yield* TrackRecord
      assert.deepStrictEqual(yield* tally("football"), { scored: 0, pending: [], means: {} })
    }).pipe(Effect.provide(TrackRecord.layerNone)),
  )
})
