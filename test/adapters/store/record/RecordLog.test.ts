import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as captures from "../../../../adapters/store/record/Captures.ts"
import { Captures, toLeaf } from "../../../../core/record/captures/Captures.ts"
import { toText } from "../../../../core/record/log/leaf.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { inAnyStore } from "../../../support/anyStore.ts"
import { captured } from "../../../support/captures.ts"
import { leaf } from "../../../support/record.ts"

const capture = (n: number) => captured({ id: `01J${String(n).padStart(23, "0")}`, at: n * 3_600_000 })

describe("captures on the record", () => {
  const layer = Layer.provideMerge(captures.layer, inAnyStore)

  it.effect("are leaves, in the order in which they were taken, once", () =>
    Effect.gen(function* () {
      const { append } = yield* Captures
      const log = yield* RecordLog
      const [one, two, three] = [capture(1), capture(2), capture(3)]
      assert.deepStrictEqual(yield* append([one, two]), [one, two])
      yield* log.append([leaf(0)])
      assert.deepStrictEqual(yield* append([captured({ at: one.capture.at }), two, three]), [three])
      const entries = yield* log.range(0, 10)
      assert.deepStrictEqual(
        entries.map(({ id }) => id),
        [one.capture.id, two.capture.id, leaf(0).id, three.capture.id],
      )
      assert.strictEqual(entries[3]!.text, toText(toLeaf(three.capture)))
      assert.strictEqual(
        entries[0]!.text,
        '{"at":3600000,"body":{"close_time":7200000,"endpoint":"crypto_signal","inputs_hash":"aa","model_version":"1","output":{"probabilities":[0.51,0.25],"strikes":[60000,61000]},"params":{"asset":"BTC","horizon":60},"quotes":[],"trigger":"scheduled"},"id":"01J00000000000000000000001","kind":"capture","lane":"crypto","salt":"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a","subject":"BTC/60","v":1}',
      )
    }).pipe(Effect.provide(layer)),
  )

  it.effect("bring contracts that are tracked, each with its newest close", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { append } = yield* Captures
      const hour = 3_600_000
      const about = (n: number, ...closes: ReadonlyArray<number>) =>
        captured(
          { id: capture(n).capture.id, at: n * hour },
          {
            contracts: closes.map((closeTime, at) => ({
              ...({ venue: "kalshi", domain: "crypto" } as const),
              ticker: `t${at}`,
              closeTime,
            })),
          },
        )
      yield* append([about(1, 9 * hour, 8 * hour), about(2, 7 * hour)])
      yield* append([about(1, 5 * hour), about(3, 6 * hour, 8 * hour, 8 * hour)])
      assert.deepStrictEqual(yield* sql`SELECT ticker, close_time FROM tracked_contracts ORDER BY ticker`, [
        { ticker: "t0", close_time: 6 * hour },
        { ticker: "t1", close_time: 8 * hour },
        { ticker: "t2", close_time: 8 * hour },
      ])
      const kept = yield* sql<{ ticker: string; at: number; contract: string }>`
        SELECT ticker, at, contract FROM captured_contracts ORDER BY at, ticker`
      assert.deepStrictEqual(
        kept.map(({ ticker, at, contract }) => [ticker, at, JSON.parse(contract).closeTime]),
        [
          ["t0", hour, 9 * hour],
          ["t1", hour, 8 * hour],
          ["t0", 2 * hour, 7 * hour],
          ["t0", 3 * hour, 6 * hour],
          ["t1", 3 * hour, 8 * hour],
          ["t2", 3 * hour, 8 * hour],
        ],
      )
    }).pipe(Effect.provide(layer)),
  )

  it.effect("leave neither row nor leaf where one of them cannot be", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { append } = yield* Captures
      const log = yield* RecordLog
      // A leaf that has taken a capture's id: its row could be written, its leaf could not.
      yield* log.append([leaf(0, { id: capture(2).capture.id })])
      assert.isTrue(Exit.isFailure(yield* Effect.exit(append([capture(1), capture(2)]))))
      assert.deepStrictEqual([yield* log.size, yield* sql`SELECT id FROM captures`], [1, []])
      assert.strictEqual((yield* append([capture(1)])).length, 1)
    }).pipe(Effect.provide(layer)),
  )
})
