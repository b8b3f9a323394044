import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as hasher from "../../../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import type { StoreError } from "../../../../adapters/store/engine/opening.ts"
import * as captures from "../../../../adapters/store/record/Captures.ts"
import * as recordInputs from "../../../../adapters/store/record/RecordInputs.ts"
import * as recordLog from "../../../../adapters/store/record/RecordLog.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import type { PlatformCrypto } from "../../../../core/account/PlatformCrypto.ts"
import type { JsonObject, Recordable } from "../../../../core/call/Recordable.ts"
import { parse } from "../../../../core/call/Subject.ts"
import { type Captured, Captures, captureSignal as make } from "../../../../core/record/captures/Captures.ts"
import {
  type MakeInputs,
  RecordInputs,
  toInputs,
  toPart,
  toText,
} from "../../../../core/record/captures/RecordInputs.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import { anyAccounts, anyStore } from "../../../support/anyStore.ts"
import { capture, captured } from "../../../support/captures.ts"
import { settlementOf } from "../../../support/settlement.ts"

const ports = Layer.mergeAll(captures.layer, recordInputs.layer, recordLog.layer)
const store = ports.pipe(Layer.provideMerge(Layer.mergeAll(anyStore, hasher.layer, secrets.layer)))
const withLedger = ports.pipe(Layer.provideMerge(Layer.merge(anyAccounts, hasher.layer)))

const inMemory = (taken: Array<Captured>) =>
  Layer.mergeAll(
    Captures.layerMemory(taken),
    Ledger.layerMemory([["acct_buyer", 1_000]], Captures.inMemory(taken).append),
    secrets.layer,
  ).pipe(Layer.provideMerge(RecordInputs.layerMemory()), Layer.provideMerge(hasher.layer))
const memory = Layer.suspend(() => inMemory([]))

const take = (...all: ReadonlyArray<Captured>) =>
  Effect.flatMap(Captures, (port) => Effect.map(port.append(all), (fresh) => fresh.length))

const signal = (changes: Partial<Recordable<unknown>> = {}): Recordable<unknown> => {
  const { lane, endpoint, subject, modelVersion, at, params, output, closeTime } = capture()
  return {
    ...{ lane, endpoint, subject: parse(subject), modelVersion, at, params, output: () => output, closeTime },
    inputs: toInputs({ of: 1, absent: undefined }),
    ...changes,
  }
}

/** Inputs that name so many parts. */
const sharing =
  (count: number): MakeInputs =>
  (sha256) => {
    const parts = Array.from({ length: count }, (_, n) => toPart(toText(sha256, { part: n })))
    return { ...toText(sha256, { parts: parts.map(({ hash }) => hash) }), putShared: parts }
  }

/** The capture of a signal sold by a call. */
const made = (changes: Partial<Recordable<unknown>> = {}) =>
  make(
    signal(changes),
    { kind: "on_demand", bought: { requestId: "req_1", accountId: "acct_1", keyId: "key_1" } },
    [],
    [],
  )

/** Calls of one account buy a signal each while they can pay. */
const sold = (accountId: string, keyId: string) =>
  Effect.gen(function* () {
    const { charge: settle } = yield* Ledger
    const { ofCall, buyerOf } = yield* Captures
    const call = (requestId: string, micros: number) => {
      const one = captured({ kind: "on_demand", bought: { requestId, accountId, keyId, agentId: "agent_1" } })
      return Effect.as(settle({ ...settlementOf({ accountId, keyId, requestId, micros, at: 1 }), captured: one }), one)
    }
    const { capture } = yield* call("req_1", 1_000)
    const unpaid = yield* call("req_2", 1_000)
    const scheduled = captured()
    yield* take(scheduled)
    assert.deepStrictEqual(yield* Effect.all([ofCall("req_1"), ofCall("req_2"), ofCall(capture.id)]), [
      { id: capture.id, accountId, agentId: "agent_1" },
      undefined,
      undefined,
    ])
    assert.deepStrictEqual(
      yield* Effect.all([capture.id, unpaid.capture.id, scheduled.capture.id, "req_1"].map(buyerOf)),
      [{ accountId, agentId: "agent_1" }, undefined, undefined, undefined],
    )
  })

type Both = Captures | PlatformCrypto | RecordInputs | SyncSha256
const both: ReadonlyArray<readonly [where: string, Layer.Layer<Both, StoreError>]> = [
  ["in memory", memory],
  ["in a store", store],
]
for (const [where, layer] of both) {
  describe(`captures ${where}`, () => {
    it.effect("are stored once for a slot, whatever they were computed from", () =>
      Effect.gen(function* () {
        const port = yield* Captures
        const first = [captured(), captured({ subject: "ETH/60" })]
        assert.deepStrictEqual(yield* port.append(first), first)
        const repeated = [
          captured(),
          captured({ inputsHash: "bb" }),
          captured({ modelVersion: "2", output: { probabilities: [0.9] } }),
        ]
        assert.deepStrictEqual(yield* port.append(repeated), [])
        const others = [
          captured({ at: 7_200_000 }),
          captured({ lane: "weather" }),
          captured({ endpoint: "weather_signal" }),
          captured({ kind: "on_demand" }),
        ]
        assert.deepStrictEqual(yield* port.append([...repeated, ...others]), others)
        assert.deepStrictEqual(yield* port.append([]), [])
      }).pipe(Effect.provide(layer)),
    )

    it.effect("are stored for every call, however alike", () =>
      Effect.gen(function* () {
        const call = (requestId: string) =>
          captured({ kind: "on_demand", bought: { requestId, accountId: "acct_buyer", keyId: "key_1" } })
        assert.strictEqual(yield* take(call("req_1"), call("req_2"), captured({ kind: "on_demand" })), 3)
      }).pipe(Effect.provide(layer)),
    )

    it.effect("may be offered again", () =>
      Effect.gen(function* () {
        for (const kind of ["scheduled", "on_demand"] as const) {
          const one = captured({ kind })
          assert.strictEqual(yield* take(one), 1)
          assert.strictEqual(yield* take(one, { ...one, capture: { ...one.capture, at: 1 } }), 0, kind)
        }
      }).pipe(Effect.provide(layer)),
    )

    const line = (changes: Parameters<typeof capture>[0], once = true) =>
      captured({ kind: "on_demand", market: { spread: 3 }, ...changes }, { once })
    const moved = (...markets: ReadonlyArray<JsonObject>) =>
      markets.map((market, n) => line({ market, at: 3_600_000 + n }))

    it.effect.each<[what: string, offered: ReadonlyArray<Captured>, kept: number]>([
      ["the same again", [line({}), line({})], 1],
      ["the same in other words", [line({ market: { a: 1, b: 2 } }), line({ market: { b: 2, a: 1 } })], 1],
      ["other inputs", [line({}), line({ inputsHash: "bb" })], 2],
      ["inputs that come back", [line({}), line({ inputsHash: "bb" }), line({})], 3],
      ["another subject", [line({}), line({ subject: "ETH/60" }), line({})], 2],
      ["another lane", [line({}), line({ lane: "football" }), line({ endpoint: "nfl_fair_line" })], 3],
      ["the same, to be kept every time", [line({}), line({}, false)], 2],
      ["after one that is kept every time", [line({}, false), line({})], 1],
      ["the same line again", moved({ spread: 3 }, { spread: 3 }), 1],
      ["a line that moves", moved({ spread: 3 }, { spread: 9.5 }, { spread: 9.5 }), 2],
      ["a line that comes back", moved({ spread: 3 }, { spread: 9.5 }, { spread: 3 }), 3],
      ["a line that is posted", moved({}, {}, { spread: 3, total: 40 }), 2],
      ["a line that is taken down", moved({ spread: 3 }, {}), 2],
    ])("that say nothing new are left out where they are to be: %s", ([, offered, kept]) =>
      Effect.gen(function* () {
        const fresh = yield* Effect.forEach(offered, (each) => take(each))
        assert.strictEqual(fresh.filter((count) => count === 1).length, kept)
      }).pipe(Effect.provide(layer)),
    )

    it.effect("that say nothing new are left out within a step, and of steps that race", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* take(line({}), line({}), line({ inputsHash: "bb" })), 2)
        const raced = yield* Effect.all(
          Array.from({ length: 3 }, () => take(line({ inputsHash: "cc" }))),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(raced.toSorted(), [0, 0, 1])
      }).pipe(Effect.provide(layer)),
    )

    it.effect("are made of a signal and its occasion", () =>
      Effect.gen(function* () {
        const bought = { requestId: "req_1", accountId: "acct_1", keyId: "key_1" }
        const quotes = [{ close_time: 7_000_000, yes_bid: 1 }, { close_time: 6_000_000 }]
        const contract = { venue: "kalshi", ticker: "t", domain: "crypto", closeTime: 7_000_000 } as const
        const market = { spread: 3, total: undefined }
        const one = yield* make(signal({ once: true, market }), { kind: "on_demand", bought }, [], quotes)
        const { id, salt, inputsHash, ...rest } = one.capture
        assert.match(salt, /^[\w-]{22}$/)
        assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
        const { id: _, salt: __, inputsHash: ___, ...like } = capture({ kind: "on_demand", quotes, bought })
        // Sealed until the signal's own close; it has to be under a checkpoint before the first of the quoted ones.
        assert.deepStrictEqual(rest, { ...like, market: { spread: 3 }, closeTime: 6_000_000, sealedUntil: 7_200_000 })
        assert.isTrue(one.once)
        const { sha256 } = yield* SyncSha256
        assert.deepStrictEqual(
          one.inputs.map(({ hash, text }) => [hash, text()]),
          [[inputsHash, '{"of":1}']],
        )
        assert.strictEqual(inputsHash, toText(sha256, { of: 1 }).hash)

        const job = { kind: "scheduled", slot: 5, subject: { _tag: "Game", id: "theirs" } } as const
        const other = yield* make(signal({ once: true }), job, [contract], [])
        const { kind, at, subject, closeTime, market: none } = other.capture
        assert.deepStrictEqual([kind, at, subject, closeTime, none], ["scheduled", 5, "theirs", 7_200_000, undefined])
        // Each is scored on its own contracts.
        assert.deepStrictEqual([other.once, other.contracts], [false, [contract]])
        assert.notStrictEqual(other.capture.salt, salt)
      }).pipe(Effect.provide(layer)),
    )

    it.effect("carry their inputs, and store large ones before the charge", () =>
      Effect.gen(function* () {
        const { get, isKept } = yield* RecordInputs
        const { sha256 } = yield* SyncSha256
        const { hash, putShared } = sharing(64)(sha256)
        const few = yield* made({ inputs: sharing(63) })
        assert.deepStrictEqual([few.inputs.length, isKept(putShared[0]!.hash)], [64, false])
        const many = yield* made({ inputs: sharing(64) })
        assert.deepStrictEqual(
          many.inputs.map((one) => one.hash),
          [hash],
        )
        assert.deepStrictEqual(yield* get(putShared[63]!.hash), { part: 63 })
        // Stored parts are not sent again.
        assert.deepStrictEqual(
          (yield* made({ inputs: sharing(63) })).inputs.map((one) => one.hash),
          [few.capture.inputsHash],
        )
      }).pipe(Effect.provide(layer)),
    )
  })
}

describe("the captures of calls", () => {
  it.effect("are their buyer's, in memory", () => Effect.provide(sold("acct_buyer", "key"), memory))

  it.effect("are their buyer's, in a store", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { id } = yield* accounts.create("buyer")
      yield* accounts.credit(id, MicroUsd(1_000))
      const { key } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
      yield* sold(id, key.id)
      assert.strictEqual(yield* (yield* RecordLog).size, 2)
      // What a charge has stored is known to whoever records next.
      const one = yield* made()
      const call = settlementOf({ accountId: id, keyId: key.id, requestId: "req_1", micros: 0, at: 1 })
      const { bought: _, ...capture } = one.capture
      yield* (yield* Ledger).charge({ ...call, captured: { ...one, capture } })
      assert.deepStrictEqual((yield* made()).inputs, [])
    }).pipe(Effect.provide(withLedger)),
  )
})

describe("captures in memory", () => {
  it.effect("can be looked at", () =>
    Effect.suspend(() => {
      const taken: Array<Captured> = []
      const [one, two] = [captured(), captured({ subject: "ETH/60" })]
      return Effect.gen(function* () {
        yield* take(one, two, captured())
        assert.deepStrictEqual(taken, [one, two])
      }).pipe(Effect.provide(inMemory(taken)))
    }),
  )
})

describe("captures in a store", () => {
  const table = (name: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM ${sql(name)}`)
  const rows = table("captures")

  it.effect("stand in their leaves alone", () =>
    Effect.gen(function* () {
      const quotes = [{ venue: "kalshi", yes_bid: 0.31, yes_ask: 0.34 }]
      const market = { spread: 3 }
      const one = captured({ quotes, market })
      yield* take(one)
      const { id } = one.capture
      const about = { lane: "crypto", subject: "BTC/60", at: 3_600_000 }
      assert.deepStrictEqual(yield* rows, [
        { id, endpoint: "crypto_signal", kind: "scheduled", request_id: null, key_id: null, agent_id: null, ...about },
      ])
      const { text, sealedUntil } = (yield* (yield* RecordLog).leafOf(id))!
      assert.strictEqual(sealedUntil, 7_200_000)
      assert.deepStrictEqual(JSON.parse(text), {
        ...{ v: 1, id, kind: "capture", salt: "5a".repeat(16), ...about },
        body: {
          endpoint: "crypto_signal",
          model_version: "1",
          trigger: "scheduled",
          params: { horizon: 60, asset: "BTC" },
          output: { strikes: [60_000, 61_000], probabilities: [0.51, 0.25] },
          market,
          quotes,
          inputs_hash: "aa",
          close_time: 7_200_000,
        },
      })
    }).pipe(Effect.provide(store)),
  )

  const closed = { venue: "kalshi", ticker: "t", domain: "crypto", closeTime: 3_600_000 } as const
  it.effect.each<[what: string, bad: Captured]>([
    ["no JSON", captured({ subject: "ETH/60", output: { p: Number.NaN } })],
    ["a contract that has closed", captured({ subject: "ETH/60" }, { contracts: [closed] })],
  ])("are stored all or not at all, with what is beside them: %s", ([, bad]) =>
    Effect.gen(function* () {
      const { inputs } = yield* made()
      assert.isTrue(Exit.isFailure(yield* Effect.exit(take(captured({}, { inputs }), { ...bad, inputs }))))
      for (const name of ["captures", "captured_contracts", "tracked_contracts", "record_inputs", "record_leaves"]) {
        assert.deepStrictEqual(yield* table(name), [], name)
      }
      // Inputs that are not durable do not count as stored.
      assert.deepStrictEqual(
        (yield* made()).inputs.map(({ hash }) => hash),
        inputs.map(({ hash }) => hash),
      )
    }).pipe(Effect.provide(store)),
  )

  it.effect("are there with their inputs, which are written once", () =>
    Effect.gen(function* () {
      const { get } = yield* RecordInputs
      const inputs = sharing(3)
      const first = yield* made({ inputs })
      assert.isUndefined(yield* get(first.capture.inputsHash))
      yield* take({ ...first, capture: capture({ kind: "on_demand" }) })
      const kept = yield* table("record_inputs")
      assert.strictEqual(kept.length, 4)
      assert.deepStrictEqual(yield* get(first.inputs[0]!.hash), { part: 0 })
      assert.deepStrictEqual((yield* made({ inputs })).inputs, [])
      // Another process may not know: it brings them again, and they stay as they were.
      assert.strictEqual(yield* take({ ...first, capture: capture({ kind: "on_demand" }) }), 1)
      assert.deepStrictEqual(yield* table("record_inputs"), kept)
    }).pipe(Effect.provide(store)),
  )

  it.effect("that are left out leave no inputs", () =>
    Effect.gen(function* () {
      yield* take(captured())
      const { inputs } = yield* made()
      assert.strictEqual(yield* take(captured({}, { inputs })), 0)
      assert.deepStrictEqual(yield* table("record_inputs"), [])
      assert.strictEqual((yield* made()).inputs.length, 1)
    }).pipe(Effect.provide(store)),
  )
})
