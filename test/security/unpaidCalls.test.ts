import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { cacheUpstream } from "../../adapters/runtime/upstream/cacheUpstream.ts"
import { concurrencyLimit } from "../../adapters/runtime/upstream/concurrencyLimit.ts"
import * as CallContext from "../../core/CallContext.ts"
import { nwsRoutes } from "../support/nws.ts"
import { replay } from "../support/replay.ts"
import { type Running, settings, start } from "../support/running.ts"

const as = (rank: CallContext.Rank) => (effect: Effect.Effect<string, unknown>) => CallContext.within(effect, 0, rank)

/** An upstream whose tries last until they are told to end, and the order in which they begin. */
const upstream = (crowd: { readonly atOnce: number; readonly atMost: number }) =>
  Effect.gen(function* () {
    const turn = concurrencyLimit("it", crowd)
    const begun: Array<string> = []
    const ends = new Map<string, Deferred.Deferred<void>>()
    const ask = (name: string, rank: CallContext.Rank) =>
      Effect.gen(function* () {
        const end = yield* Deferred.make<void>()
        ends.set(name, end)
        const attempt = Effect.zipRight(
          Effect.sync(() => begun.push(name)),
          Effect.as(Deferred.await(end), name),
        )
        const fiber = yield* Effect.fork(as(rank)(turn(attempt)))
        yield* Effect.yieldNow()
        return fiber
      })
    const end = (name: string) =>
      Effect.zipRight(Deferred.succeed(ends.get(name)!, undefined), Effect.repeatN(Effect.yieldNow(), 3))
    return { begun, ask, end }
  })

describe("turns at an upstream", () => {
  it.effect("a crowd of calls that are free takes none of the places of those that pay, and is refused soon", () =>
    Effect.gen(function* () {
      const { begun, ask } = yield* upstream({ atOnce: 3, atMost: 10 })
      const free = yield* Effect.forEach(Array.from({ length: 50 }), (_, at) => ask(`free ${at}`, "unpaid"))
      assert.deepStrictEqual(begun, ["free 0"])
      const over = yield* Effect.filter(free, (fiber) => Effect.map(Fiber.poll(fiber), ({ _tag }) => _tag === "Some"))
      assert.strictEqual(over.length, 47)
      for (const fiber of over) assert.propertyVal(yield* Effect.flip(Fiber.join(fiber)), "reason", "busy")
      for (const name of ["one", "two", "three"]) yield* ask(name, "paid")
      assert.deepStrictEqual(begun, ["free 0", "one", "two", "three"])
      yield* Effect.forEach(free, Fiber.interrupt)
    }),
  )

  it.effect("where an upstream takes one request at a time it is not asked for free calls", () =>
    Effect.gen(function* () {
      const { begun, ask } = yield* upstream({ atOnce: 1, atMost: 10 })
      const free = yield* ask("free", "unpaid")
      assert.propertyVal(yield* Effect.flip(Fiber.join(free)), "reason", "busy")
      assert.deepStrictEqual(begun, [])
    }),
  )

  it.effect("jobs come after paid calls, have half of the slots, and do not wait for ever", () =>
    Effect.gen(function* () {
      const { begun, ask, end } = yield* upstream({ atOnce: 2, atMost: 100 })
      const jobs = yield* Effect.forEach(["job 0", "job 1"], (name) => ask(name, "behind"))
      const paid = yield* Effect.forEach(Array.from({ length: 9 }), (_, at) => ask(`paid ${at}`, "paid"))
      assert.deepStrictEqual(begun, ["job 0", "paid 0"])
      yield* end("job 0")
      for (let at = 0; at < 9; at++) yield* end(`paid ${at}`)
      // Four that pay go before the job that waits, and no fifth.
      assert.deepStrictEqual(begun.slice(1, 6), ["paid 0", "paid 1", "paid 2", "paid 3", "job 1"])
      yield* end("job 1")
      assert.strictEqual(begun.length, 11)
      yield* Effect.forEach([...jobs, ...paid], Fiber.join)
    }),
  )

  it.effect("who goes away while waiting, or with a place, leaves it to the next", () =>
    Effect.gen(function* () {
      const { begun, ask } = yield* upstream({ atOnce: 1, atMost: 3 })
      const [first, second, third] = yield* Effect.all([ask("a", "paid"), ask("b", "paid"), ask("c", "paid")])
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(first)
      yield* Effect.yieldNow()
      assert.deepStrictEqual(begun, ["a", "c"])
      yield* Fiber.interrupt(third)
    }),
  )
})

describe("what is remembered of an upstream", () => {
  it.effect("nobody who pays waits with a free call, and what is there serves both", () =>
    Effect.gen(function* () {
      const asked: Array<CallContext.Rank> = []
      const hangs = yield* Deferred.make<void>()
      const get = yield* cacheUpstream(
        (key) =>
          Effect.gen(function* () {
            const rank = yield* CallContext.rank
            asked.push(rank)
            if (rank === "unpaid" && key === "slow") yield* Deferred.await(hangs)
            return `${key} ${rank}`
          }),
        { ttlMs: 60_000, capacity: 10 },
      )
      const text = (key: string) => Effect.map(get(key), ({ value }) => value)
      const free = yield* Effect.fork(as("unpaid")(text("slow")))
      yield* Effect.repeatN(Effect.yieldNow(), 5)
      assert.strictEqual(yield* as("paid")(text("slow")), "slow paid")
      assert.strictEqual(yield* as("unpaid")(text("slow")), "slow paid")
      assert.strictEqual(yield* as("unpaid")(text("quick")), "quick unpaid")
      assert.strictEqual(yield* as("paid")(text("quick")), "quick unpaid")
      assert.deepStrictEqual(asked, ["unpaid", "paid", "unpaid"])
      yield* Fiber.interrupt(free)
    }),
  )
})

describe("over HTTP", () => {
  const scope = Effect.runSync(Scope.make())
  let service: Running
  /** Requests that are with the weather service, and the most that were there at once. */
  const there = { now: 0, most: 0, all: 0 }

  beforeAll(async () => {
    const nws = await Effect.runPromise(Scope.extend(replay(nwsRoutes(() => Date.now())), scope))
    nws.spoil((good, response) => {
      there.now++
      there.all++
      there.most = Math.max(there.most, there.now)
      setTimeout(() => {
        there.now--
        response.writeHead(good.status ?? 200, good.headers)
        response.end(good.body)
      }, 20)
    })
    service = await start({ weather: "live", upstreams: { ...settings().upstreams, nws: nws.url } })
  })
  afterAll(async () => {
    await service.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const forecast = (at: number): string => `/v1/weather/forecast?lat=${(30 + at / 100).toFixed(2)}&lon=-90`
  const calls = {
    HEAD: { method: "HEAD" },
    "If-None-Match: *": { headers: { "if-none-match": "*" } },
  }

  for (const [name, init] of Object.entries(calls)) {
    it(`200 × ${name} of distinct points ask the upstream one at a time`, async () => {
      there.most = 0
      const from = name === "HEAD" ? 0 : 500
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, at) => service.get(forecast(from + at), undefined, init)),
      )
      const known = new Set(answers.map(({ status }) => status))
      assert.isTrue(known.has(503))
      assert.strictEqual(there.most, 1)
      assert.strictEqual(await service.charges(), 0)
    })
  }

  it("HEAD of one point has the headers of its answer, and asks no upstream again for what is there", async () => {
    const head = () => service.get(forecast(900), undefined, { method: "HEAD" })
    let first = await head()
    // Requests of the crowd above go on after its answers.
    for (let tries = 0; first.status === 503 && tries < 50; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      first = await head()
    }
    assert.deepStrictEqual([first.status, first.headers.has("etag"), first.text], [200, true, ""])
    const before = there.all
    const paid = await service.get(forecast(900))
    assert.deepStrictEqual([paid.status, paid.headers.get("etag")], [200, first.headers.get("etag")])
    assert.strictEqual(there.all, before)
  })
})
