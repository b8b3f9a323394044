import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as hasher from "../../../adapters/node/hasher.ts"
import * as captures from "../../../adapters/sql/Captures.ts"
import * as sqlite from "../../../adapters/sql/sqlite.ts"
import { type Capture, Captures } from "../../../core/record/Captures.ts"

let issued = 0

/** A capture that is like any other but for its id and `changes`. */
const capture = (changes: Partial<Capture> = {}): Capture => ({
  id: `01J${String(++issued).padStart(23, "0")}`,
  lane: "crypto",
  endpoint: "crypto_signal",
  subject: "BTC/60",
  modelVersion: "1",
  kind: "scheduled",
  at: 3_600_000,
  params: { asset: "BTC", horizon: 60 },
  output: { strikes: [60_000, 61_000], probabilities: [0.51, 0.25] },
  quotes: [],
  inputsHash: "aa",
  ...changes,
})

const store = Layer.provideMerge(captures.layer, Layer.merge(sqlite.layer(":memory:"), hasher.layer))

for (const [where, layer] of [
  ["in memory", Layer.suspend(() => Captures.layerMemory())],
  ["in SQLite", store],
] as const) {
  describe(`captures ${where}`, () => {
    it.effect("are stored once for a slot, whatever they were computed from", () =>
      Effect.gen(function* () {
        const { take } = yield* Captures
        assert.strictEqual(yield* take([capture(), capture({ subject: "ETH/60" })]), 2)
        const repeated = [
          capture(),
          capture({ inputsHash: "bb" }),
          capture({ modelVersion: "2", output: { probabilities: [0.9] } }),
        ]
        assert.strictEqual(yield* take(repeated), 0)
        const others = [
          capture({ at: 7_200_000 }),
          capture({ lane: "weather" }),
          capture({ endpoint: "weather_signal" }),
          capture({ kind: "on_demand" }),
        ]
        assert.strictEqual(yield* take([...repeated, ...others]), 4)
      }).pipe(Effect.provide(layer)),
    )

    it.effect("are stored for every call, but once for the same inputs in the same millisecond", () =>
      Effect.gen(function* () {
        const { take } = yield* Captures
        const call = (changes: Partial<Capture> = {}) => capture({ kind: "on_demand", ...changes })
        assert.strictEqual(yield* take([call(), call(), call({ inputsHash: "bb" }), call({ at: 3_600_001 })]), 3)
        assert.strictEqual(yield* take([]), 0)
      }).pipe(Effect.provide(layer)),
    )

    it.effect("may be offered again", () =>
      Effect.gen(function* () {
        const { take } = yield* Captures
        const one = capture()
        assert.strictEqual(yield* take([one]), 1)
        assert.strictEqual(yield* take([one, { ...one, at: 1 }]), 0)
      }).pipe(Effect.provide(layer)),
    )
  })
}

describe("captures in memory", () => {
  it.effect("can be looked at", () =>
    Effect.suspend(() => {
      const taken: Array<Capture> = []
      const [one, two] = [capture(), capture({ subject: "ETH/60" })]
      return Effect.gen(function* () {
        const { take } = yield* Captures
        yield* take([one, two, capture()])
        assert.deepStrictEqual(taken, [one, two])
      }).pipe(Effect.provide(Captures.layerMemory(taken)))
    }),
  )
})

describe("captures in SQLite", () => {
  const rows = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM captures ORDER BY id`)

  it.effect("are kept as they were given", () =>
    Effect.gen(function* () {
      const { take } = yield* Captures
      const one = capture({ quotes: [{ venue: "kalshi", yes_bid: 0.31, yes_ask: 0.34 }] })
      yield* take([one])
      const [row] = yield* rows
      assert.deepStrictEqual(row, {
        id: one.id,
        lane: "crypto",
        endpoint: "crypto_signal",
        subject: "BTC/60",
        model_version: "1",
        kind: "scheduled",
        at: 3_600_000,
        params: '{"asset":"BTC","horizon":60}',
        output: '{"strikes":[60000,61000],"probabilities":[0.51,0.25]}',
        quotes: '[{"venue":"kalshi","yes_bid":0.31,"yes_ask":0.34}]',
        inputs_hash: "aa",
      })
    }).pipe(Effect.provide(store)),
  )

  it.effect("cannot be changed or removed, whoever asks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { take } = yield* Captures
      yield* take([capture(), capture({ subject: "ETH/60" })])
      const before = yield* rows
      for (const statement of [
        "UPDATE captures SET output = '{}'",
        "UPDATE captures SET at = at - 1",
        "DELETE FROM captures",
        "REPLACE INTO captures SELECT * FROM captures",
      ]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(sql.unsafe(statement))), statement)
      }
      assert.deepStrictEqual(yield* rows, before)
    }).pipe(Effect.provide(store)),
  )

  it.effect("are stored all or not at all", () =>
    Effect.gen(function* () {
      const { take } = yield* Captures
      const bad = capture({ subject: "ETH/60", output: undefined })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(take([capture(), bad]))))
      assert.deepStrictEqual(yield* rows, [])
    }).pipe(Effect.provide(store)),
  )
})
