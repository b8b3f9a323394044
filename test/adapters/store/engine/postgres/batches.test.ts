import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { make, type Options } from "../../../../../adapters/store/engine/postgres/batches.ts"
import * as Step from "../../../../../core/Step.ts"

const failing = (code: string) => new SqlError({ cause: Object.assign(new Error(code), { code }), message: code })

/** Results of items sent at once over a store that answers as given; the batches as they were sent. */
const sending = (items: ReadonlyArray<string>, options: Partial<Options<string, string>> = {}) =>
  Effect.gen(function* () {
    const sent: Array<readonly [id: string, items: ReadonlyArray<string>]> = []
    const cancelled: Array<string> = []
    const write = yield* make<string, string>({
      ...options,
      send: (id, all, skips) =>
        Step.suspend(() => {
          sent.push([id, all])
          return options.send?.(id, all, skips) ?? Effect.succeed(all.map((one) => `${one}!`))
        }),
      cancel: (id) => Effect.sync(() => void cancelled.push(id)),
    })
    const results = yield* Effect.forEach(items, (item) => Effect.exit(Step.run(write(item))), {
      concurrency: "unbounded",
    })
    return { results: results.map(Exit.getOrElse((cause) => cause._tag)), sent, cancelled }
  })

describe("items that arrive together", () => {
  it.scopedLive("are one batch, up to 256, and each has its own result", () =>
    Effect.gen(function* () {
      const items = Array.from({ length: 300 }, (_, at) => String(at))
      const { results, sent } = yield* sending(items)
      assert.deepStrictEqual(
        results,
        items.map((item) => `${item}!`),
      )
      assert.deepStrictEqual(
        sent.map(([, all]) => all.length),
        [256, 44],
      )
    }),
  )

  it.scopedLive("are sent after a quiet time as before", () =>
    Effect.gen(function* () {
      const write = yield* make<string, string>({
        send: (_, all) => Effect.succeed([...all]),
        cancel: () => Effect.void,
      })
      for (const item of ["a", "b", "c"]) assert.strictEqual(yield* Step.run(write(item)), item)
    }),
  )

  it.scopedLive("wait while two batches are under way, and are one batch then", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const sent: Array<number> = []
      const write = yield* make<number, number>({
        send: (_, all) =>
          Effect.as(
            Effect.zipRight(
              Effect.sync(() => sent.push(all.length)),
              Deferred.await(answer),
            ),
            all,
          ),
        cancel: () => Effect.void,
      })
      const all = yield* Effect.fork(
        Effect.forEach(
          Array.from({ length: 700 }, (_, at) => at),
          (at) => Step.run(write(at)),
          { concurrency: "unbounded" },
        ),
      )
      yield* Effect.async<void>((resume) => void setImmediate(() => setImmediate(() => resume(Effect.void))))
      assert.deepStrictEqual(sent, [256, 256])
      yield* Deferred.succeed(answer, undefined)
      yield* all
      assert.deepStrictEqual(sent, [256, 256, 188])
    }),
  )
})

describe("a batch", () => {
  it.scopedLive("whose answer is lost is asked again under its own id", () =>
    Effect.gen(function* () {
      let lost = 2
      const send: Options<string, string>["send"] = (_, all) =>
        Effect.suspend(() => (lost-- > 0 ? failing("ECONNRESET") : Effect.succeed([...all])))
      const { results, sent, cancelled } = yield* sending(["a", "b"], { send })
      assert.deepStrictEqual(results, ["a", "b"])
      assert.strictEqual(sent.length, 3)
      assert.strictEqual(new Set(sent.map(([id]) => id)).size, 1)
      assert.deepStrictEqual(cancelled, [])
    }),
  )

  it.scopedLive("that stays without an answer fails, and is cancelled under that id", () =>
    Effect.gen(function* () {
      const { results, sent, cancelled } = yield* sending(["a"], { patienceMs: 120, send: () => failing("ECONNRESET") })
      assert.deepStrictEqual(results, ["Fail"])
      yield* Effect.yieldNow()
      assert.deepStrictEqual(cancelled, [sent[0]![0]])
    }),
  )

  it.scopedLive("with an item that the store refuses is sent again one by one: the others are written", () =>
    Effect.gen(function* () {
      const send: Options<string, string>["send"] = (_, all) =>
        all.includes("bad") ? failing("23514") : Effect.succeed([...all])
      const { results } = yield* sending(["a", "bad", "b"], { send })
      assert.deepStrictEqual(results, ["a", "Die", "b"])
    }),
  )

  it.scopedLive("with an item of a locked group delays that group alone", () =>
    Effect.gen(function* () {
      let locked = 2
      const send: Options<string, string>["send"] = (_, all) =>
        Effect.sync(() => all.map((one) => (one.startsWith("l") && locked-- > 0 ? "locked" : one)))
      const locks = { toGroup: (item: string) => item[0]!, isLocked: (result: string) => result === "locked" }
      const { results, sent } = yield* sending(["l1", "a", "b"], { send, locks })
      assert.deepStrictEqual(results, ["l1", "a", "b"])
      assert.deepStrictEqual(
        sent.map(([, all]) => all),
        [["l1", "a", "b"], ["l1"], ["l1"]],
      )
    }),
  )
})
