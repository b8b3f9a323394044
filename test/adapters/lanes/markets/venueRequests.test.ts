import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  allPages,
  chunkByChunk,
  instant,
  partByPart,
  pickStated,
  readReadable,
} from "../../../../adapters/lanes/markets/venueRequests.ts"
import { UpstreamError } from "../../../../adapters/runtime/upstream/upstream.ts"

const upstream = { name: "venue", baseUrl: "http://localhost" }
const failing = (rest: Partial<ConstructorParameters<typeof UpstreamError>[0]> = {}) =>
  new UpstreamError({ upstream: "venue", reason: "shape", message: "odd", ...rest })

it("an instant is a text that JavaScript reads as a time", () => {
  assert.isTrue(Schema.is(instant)("2026-07-07T21:25:17Z"))
  assert.isFalse(Schema.is(instant)("soon"))
})

describe("pages", () => {
  const asked = (nextOf: (page: number) => string) => {
    const cursors: Array<string> = []
    const all = allPages(upstream, "/events", (cursor) =>
      Effect.sync(() => {
        cursors.push(cursor)
        return { rows: [cursors.length], next: nextOf(cursors.length) }
      }),
    )
    return { cursors, all }
  }

  it.effect("are asked from the empty cursor to the page without a next one", () =>
    Effect.gen(function* () {
      const { cursors, all } = asked((page) => (page < 3 ? `c${page}` : ""))
      assert.deepStrictEqual(yield* all, [1, 2, 3])
      assert.deepStrictEqual(cursors, ["", "c1", "c2"])
    }),
  )

  it.effect("are fifty at most", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* asked((page) => (page < 50 ? `c${page}` : "")).all, 50)
      const { cursors, all } = asked((page) => `c${page}`)
      assert.strictEqual((yield* Effect.flip(all)).message, "/events does not end within 50 pages, or begins again.")
      assert.lengthOf(cursors, 50)
    }),
  )

  it.effect("end at once where a page names itself as the next one", () =>
    Effect.gen(function* () {
      const { cursors, all } = asked(() => "same")
      assert.strictEqual((yield* Effect.flip(all)).reason, "shape")
      assert.lengthOf(cursors, 2)
    }),
  )
})

describe("rows", () => {
  const read = readReadable(Schema.Struct({ a: Schema.Number }), upstream)

  it.effect("that cannot be read are left out, unless none can", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read([{ a: 1 }, { a: "x" }, { a: 2 }]), [{ a: 1 }, { a: 2 }])
      assert.deepStrictEqual(yield* read([]), [])
      assert.strictEqual((yield* Effect.flip(read([{ a: 1 }, { a: "x" }, null, { a: 2 }]))).reason, "shape")
      assert.strictEqual((yield* Effect.flip(read([{ a: "x" }]))).reason, "shape")
    }),
  )
})

describe("what rows state beside what was asked", () => {
  const readSeries = (tickers: ReadonlyArray<unknown>, requested: string | undefined) =>
    pickStated(
      tickers.map((ticker) => ({ ticker })),
      "ticker",
      requested,
      (ticker) => ticker.split("-")[0]!,
    )

  it("is what was asked where some are of it, where none can be read, and where nothing was asked", () => {
    assert.deepStrictEqual(readSeries(["A-1", "C-2"], "A,B"), ["A,B", "A,B"])
    assert.deepStrictEqual(readSeries([], "A"), ["A", "A"])
    assert.deepStrictEqual(readSeries([1, null], "A"), ["A", "A"])
    assert.deepStrictEqual(readSeries(["C-1"], undefined), ["", ""])
  })

  it("is what they state where all are of something else", () => {
    assert.deepStrictEqual(readSeries(["C-1", "C-2", 3], "A,B"), ["C", "A,B"])
    assert.notStrictEqual(readSeries(["C-1", "D-2"], "A")[0], "A")
  })
})

describe("parts", () => {
  /** Asks parts that fail as told. */
  const asking = (errors: Readonly<Record<string, UpstreamError>>, ...parts: ReadonlyArray<string>) => {
    const asked: Array<string> = []
    const result = partByPart(
      parts,
      (part) => `part ${part}`,
      (part) => {
        asked.push(part)
        const error = errors[part]
        return error === undefined ? Effect.succeed([part, part]) : Effect.fail(error)
      },
    )
    return { asked, result }
  }

  it.effect("that fail do not affect the others", () =>
    Effect.gen(function* () {
      const { items, failed } = yield* asking({ b: failing() }, "a", "b", "c").result
      assert.deepStrictEqual(items, ["a", "a", "c", "c"])
      assert.deepStrictEqual(
        failed.map(({ part }) => part),
        ["part b"],
      )
    }),
  )

  it.effect("are nothing when all fail, and all of nothing", () =>
    Effect.gen(function* () {
      const { code } = yield* Effect.flip(asking({ a: failing(), b: failing() }, "a", "b").result)
      assert.strictEqual(code, "upstream_unavailable")
      assert.deepStrictEqual(yield* asking({}).result, { items: [], failed: [] })
    }),
  )

  it.effect.each([
    { reason: "timeout" },
    { reason: "paused" },
    { reason: "throttled" },
    { reason: "transport" },
    { reason: "status", status: 403 },
    { reason: "status", status: 429 },
    { reason: "status", status: 500 },
  ] as const)("are not asked any more after two failures in a row by %j", (rest) =>
    Effect.gen(function* () {
      const down = failing(rest)
      const { asked, result } = asking({ b: down, c: down }, "a", "b", "c", "d", "e")
      const { failed } = yield* result
      assert.deepStrictEqual(asked, ["a", "b", "c"])
      assert.lengthOf(failed, 4)
    }),
  )

  it.effect("go on after failures of single requests, or with a success between", () =>
    Effect.gen(function* () {
      const [odd, down] = [failing({ reason: "status", status: 499 }), failing({ reason: "timeout" })]
      const single = asking({ a: odd, b: odd, c: odd }, "a", "b", "c", "d")
      assert.deepStrictEqual((yield* single.result).items, ["d", "d"])
      const between = asking({ a: down, c: down }, "a", "b", "c", "d")
      assert.deepStrictEqual((yield* between.result).items, ["b", "b", "d", "d"])
      const mixed = asking({ a: down, b: odd, c: down }, "a", "b", "c", "d")
      assert.deepStrictEqual((yield* mixed.result).items, ["d", "d"])
    }),
  )

  it.effect("of tickers have so many each, and are named by the first", () =>
    Effect.gen(function* () {
      const sizes: Array<number> = []
      const { items, failed } = yield* chunkByChunk(["a", "b", "c", "d", "e"], 2, (some) => {
        sizes.push(some.length)
        return some[0] === "c" ? Effect.fail(failing()) : Effect.succeed(some)
      })
      assert.deepStrictEqual(
        [sizes, items],
        [
          [2, 2, 1],
          ["a", "b", "e"],
        ],
      )
      assert.deepStrictEqual(
        failed.map(({ part }) => part),
        ["c and 1 more"],
      )
    }),
  )
})
