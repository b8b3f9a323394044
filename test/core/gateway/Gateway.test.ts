import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import * as ApiKey from "../../../core/account/ApiKey.ts"
import { type Caller, Keyring } from "../../../core/account/Keyring.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import type { Answer, Freshness } from "../../../core/endpoint/Answer.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Field from "../../../core/endpoint/Field.ts"
import type * as Lane from "../../../core/endpoint/Lane.ts"
import { LaneSets } from "../../../core/endpoint/LaneSets.ts"
import * as Param from "../../../core/endpoint/Param.ts"
import { fail } from "../../../core/Failure.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import * as Step from "../../../core/Step.ts"
import { type Counting, Meter, noCounting } from "../../../core/telemetry/Meter.ts"
import { makeLane } from "../../support/lane.ts"

const paid = Endpoint.declare({
  path: "/v1/echo/paid",
  kind: "Signal",
  priceMicros: 1_000,
  auth: "key",
  summary: "Says what it was asked",
  example: { n: 1 },
  params: Schema.Struct({ n: Param.integer(1, 9, "A number."), ...Param.paging }),
  results: Schema.Struct({ n: Field.integer(), mode: Field.text(), secret: Field.verbose(Field.text()) }),
})
const free = Endpoint.declare({ ...paid, path: "/v1/echo/free", priceMicros: 0 })
const open = Endpoint.declare({
  ...paid,
  path: "/v1/echo/open",
  kind: "Proof",
  priceMicros: 0,
  auth: "none",
})
const development = Endpoint.declare({ ...paid, path: "/v1/echo/dev", status: "development" })

const endpoints = { paid, free, open, development }
interface EchoMethods extends Lane.Methods<typeof endpoints> {}
class Echo extends Context.Tag("test/Echo")<Echo, EchoMethods>() {}
const lane = makeLane("echo", endpoints, Echo, "A lane of this test.")
const catalogue = Catalogue.make(lane)

/** The lane's behaviour by n: fails, dies, hangs, or returns an answer that is not sold. */
const echo = (freshness: Freshness, hang: Deferred.Deferred<void>) => {
  const method = ({
    n,
  }: {
    readonly n: number
  }): Effect.Effect<Answer<{ n: number; mode: string; secret: string }>, never> => {
    const answer: Answer<{ n: number; mode: string; secret: string }> = {
      results: { n, mode: freshness, secret: "s" },
      reasoning: ["Counted."],
      citations: [{ step: 1, source: "test", locator: String(n) }],
      confidence: { score: 0.5, label: "reasoned", factors: [] },
      links: [],
      freshness,
      ...(n === 5 ? { billable: false } : {}),
      ...(n === 6 ? { next: "row 6" } : {}),
    }
    if (n === 2) return Effect.fail(fail("upstream_unavailable", { retryAfterMs: 1_500 })) as never
    if (n === 3) return Effect.die(new Error("private /path/to/secret"))
    if (n === 4) return Effect.as(Deferred.await(hang), answer)
    return Effect.succeed(answer)
  }
  return Layer.succeed(Echo, { paid: method, free: method, open: method, development: method })
}

const make = Effect.fnUntraced(function* (balance: number) {
  const key = Effect.flatMap(PlatformCrypto, (all) =>
    Effect.map(all.randomBytes(32), (bytes) => ({
      live: ApiKey.fromBytes("live", bytes),
      test: ApiKey.fromBytes("test", bytes),
    })),
  )
  const tokens = yield* key
  const unknown = yield* key
  const caller = (keyId: string, livemode: boolean): Caller => ({ accountId: "a", keyId, livemode, perMinute: 60 })
  const callers = [
    [tokens.live, caller("k_live", true)],
    [tokens.test, caller("k_test", false)],
  ] as const
  const hang = yield* Deferred.make<void>()
  const infrastructure = Layer.mergeAll(
    Gateway.layerDefaults,
    Keyring.layerMemory(callers),
    Ledger.layerMemory([["a", balance]]),
    BaseUrl.layer("https://api.test/"),
    LaneSets.layer(catalogue, { test: echo("mock", hang), live: echo("live", hang) }),
  ).pipe(Layer.provideMerge(secrets.layer))
  const context = yield* Layer.build(Gateway.layer(catalogue).pipe(Layer.provideMerge(infrastructure)))
  const gateway = Context.get(context, Gateway)
  const serve = (
    id: "paid" | "free" | "open" | "development",
    n: string,
    authorization: string | undefined,
    head = false,
  ) =>
    gateway.serve(
      catalogue.byId.get(endpoints[id].id)!,
      { _tag: "Text", entries: n === "" ? [] : [["n", n]] },
      { authorization, head },
    )
  return {
    gateway,
    serve,
    hang,
    bearer: { live: `Bearer ${tokens.live}`, test: `Bearer ${tokens.test}`, unknown: `Bearer ${unknown.live}` },
    balance: Effect.map(Context.get(context, Ledger).balance("a"), (micros): number => micros),
  }
})

const body = (served: Served) => JSON.parse(served.body.toText())

describe("Gateway", () => {
  it.scoped("checks in the contract's order, and a failed call is not billed", () =>
    Effect.gen(function* () {
      const { serve, bearer, balance } = yield* make(1_500)
      const junk = `Bearer ${bearer.live.slice(7, -1)}!`
      const rows: ReadonlyArray<readonly [Parameters<typeof serve>, code: string, status: number]> = [
        [["paid", "0", undefined], "missing_authorization", 401],
        [["paid", "0", "Basic abc"], "missing_authorization", 401],
        [["paid", "0", "Bearer "], "missing_authorization", 401],
        [["paid", "0", "Bearer abc"], "invalid_api_key_format", 401],
        [["paid", "0", junk], "invalid_api_key_format", 401],
        [["paid", "0", bearer.unknown], "invalid_api_key", 401],
        [["paid", "0", bearer.live], "invalid_parameter", 400],
        [["paid", "", bearer.live], "invalid_parameter", 400],
        [["paid", "2", bearer.live], "upstream_unavailable", 503],
        [["paid", "3", bearer.live], "internal_error", 500],
      ]
      for (const [args, code, status] of rows) {
        const served = yield* serve(...args)
        assert.deepStrictEqual([body(served).error.code, served.status], [code, status])
        assert.strictEqual(body(served).error.request_id, served.requestId)
        assert.strictEqual(body(served).error.docs_url, `https://api.test/errors/${code}`)
        assert.notInclude(served.body.toText(), "secret")
        assert.strictEqual(yield* balance, 1_500)
      }
      assert.strictEqual((yield* serve("paid", "2", bearer.live)).retryAfterMs, 1_500)
    }).pipe(Effect.provide(secrets.layer)),
  )

  it.scoped("counts each answer with its status and what was charged, which is nothing for a failure", () => {
    const counted: Array<readonly [id: string | undefined, status: number, micros: number]> = []
    const meter = {
      ...noCounting,
      answered: (...[id, status, micros]: Parameters<Counting["answered"]>) => void counted.push([id, status, micros]),
    }
    return Effect.gen(function* () {
      const { serve, bearer } = yield* make(1_500)
      for (const n of ["2", "3", "1", "1"]) yield* serve("paid", n, bearer.live)
      const { id } = paid
      assert.deepStrictEqual(counted, [
        [id, 503, 0],
        [id, 500, 0],
        [id, 200, 1_000],
        [id, 402, 0],
      ])
    }).pipe(Effect.provideService(Meter, meter), Effect.provide(secrets.layer))
  })

  it.scoped("charges the list price once; free, development, HEAD, unsold answers and test keys cost nothing", () =>
    Effect.gen(function* () {
      const { serve, bearer, balance } = yield* make(10_000)
      const rows: ReadonlyArray<readonly [Parameters<typeof serve>, charged: number, display: string, mode: string]> = [
        [["paid", "1", bearer.live], 1_000, "0.001 USD", "live"],
        [["paid", "1", bearer.test], 0, "0.001 USD", "mock"],
        [["free", "1", bearer.live], 0, "free", "live"],
        [["development", "1", bearer.live], 0, "0.001 USD", "live"],
        [["paid", "5", bearer.live], 0, "0.001 USD", "live"],
        [["paid", "1", bearer.live, true], 0, "0.001 USD", "live"],
      ]
      let spent = 0
      for (const [args, charged, display, mode] of rows) {
        const { results, _meta } = body(yield* serve(...args))
        assert.deepStrictEqual(results, { n: Number(args[1]), mode })
        assert.deepStrictEqual(_meta.price, { display, charged_micros: charged })
        spent += charged
        assert.strictEqual(yield* balance, 10_000 - spent)
      }
    }).pipe(Effect.provide(secrets.layer)),
  )

  it.scoped("an empty wallet gets a quote, still gets free answers, and never goes below zero", () =>
    Effect.gen(function* () {
      const { serve, bearer, balance } = yield* make(1_400)
      const all = yield* Effect.all(
        Array.from({ length: 20 }, () => serve("paid", "1", bearer.live)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(all.filter(({ status }) => status === 200).length, 1)
      assert.strictEqual(yield* balance, 400)
      const { error } = body(yield* serve("paid", "1", bearer.live))
      assert.strictEqual(error.code, "insufficient_funds")
      assert.deepInclude(error.quote, {
        endpoint: "/v1/echo/paid",
        price: { display: "0.001 USD", micros: 1_000 },
        balance_micros: 400,
        shortfall_micros: 600,
        currency: "USD",
        accepts: [],
      })
      for (const id of ["free", "development"] as const)
        assert.strictEqual((yield* serve(id, "1", bearer.live)).status, 200)
      assert.strictEqual((yield* serve("paid", "1", bearer.test)).status, 200)
    }).pipe(Effect.provide(secrets.layer)),
  )

  it.scoped("needs no key where the endpoint needs none, and answers plain JSON there", () =>
    Effect.gen(function* () {
      const { serve } = yield* make(0)
      assert.deepStrictEqual(body(yield* serve("open", "1", undefined)), { n: 1, mode: "live" })
    }).pipe(Effect.provide(secrets.layer)),
  )

  it.scoped("a caller that goes away before the answer pays nothing", () =>
    Effect.gen(function* () {
      const { serve, bearer, balance, hang } = yield* make(10_000)
      const fiber = yield* Effect.fork(serve("paid", "4", bearer.live))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* balance, 10_000)
      const other = yield* Effect.fork(serve("paid", "4", bearer.live))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(hang, undefined)
      assert.strictEqual((yield* Fiber.join(other)).status, 200)
      assert.strictEqual(yield* balance, 9_000)
    }).pipe(Effect.provide(secrets.layer)),
  )

  it.scoped("answers a further page only through its own cursor", () =>
    Effect.gen(function* () {
      const { gateway, serve, bearer } = yield* make(10_000)
      const cursor = body(yield* serve("paid", "6", bearer.live))._meta.next_cursor
      const page = (n: string) =>
        gateway.serve(
          catalogue.byId.get("echo_paid")!,
          {
            _tag: "Text",
            entries: [
              ["n", n],
              ["cursor", cursor],
              ["limit", "3"],
            ],
          },
          { authorization: bearer.live },
        )
      assert.strictEqual((yield* page("6")).status, 200)
      assert.deepStrictEqual(
        body(yield* page("7")).error.hints.map((hint: { field: string }) => hint.field),
        ["cursor"],
      )
    }).pipe(Effect.provide(secrets.layer)),
  )

  it.scoped("the typed door gives the answer in full, the request id and the charge, or the failure", () =>
    Effect.gen(function* () {
      const { gateway, bearer } = yield* make(10_000)
      const reply = yield* gateway.call(paid, { n: 1 }, { authorization: bearer.live })
      const n: number = reply.answer.results.n
      assert.deepStrictEqual([n, reply.answer.results.secret, reply.charged], [1, "s", MicroUsd(1_000)])
      assert.match(reply.requestId, /^req_[0-9A-HJKMNP-TV-Z]{26}$/)
      const failure = yield* Effect.flip(gateway.call(paid, { n: 2 }, { authorization: bearer.live }))
      assert.strictEqual(failure.code, "upstream_unavailable")
      // @ts-expect-error an unknown parameter type is a compile error
      const wrong = gateway.call(paid, { n: "one" }, { authorization: bearer.live })
      assert.strictEqual((yield* Effect.flip(wrong)).code, "invalid_parameter")
    }).pipe(Effect.provide(secrets.layer)),
  )
})

describe("LaneSets", () => {
  class Source extends Context.Tag("test/Source")<Source, Freshness>() {}
  class Shared extends Context.Tag("test/Shared")<Shared, number>() {}
  /** Returns the name of its source. */
  const layer = Layer.effect(
    Echo,
    Effect.map(Effect.all([Source, Shared]), ([freshness]) => {
      const method = () => Effect.fail(fail(freshness === "mock" ? "not_found" : "not_offered"))
      return { paid: method, free: method, open: method, development: method }
    }),
  )
  const over = (freshness: Freshness) => layer.pipe(Layer.provide(Layer.succeed(Source, freshness)))

  it.scoped("builds the same lane layer twice over different ports, and what they share once", () =>
    Effect.gen(function* () {
      let built = 0
      const shared = Layer.sync(Shared, () => ++built)
      const sets = Context.get(
        yield* Layer.build(
          LaneSets.layer(catalogue, { test: over("mock"), live: over("live") }).pipe(Layer.provide(shared)),
        ),
        LaneSets,
      )
      assert.strictEqual((yield* Effect.flip(Step.run(sets.test.get("echo_paid")!({})))).code, "not_found")
      assert.strictEqual((yield* Effect.flip(Step.run(sets.live.get("echo_paid")!({})))).code, "not_offered")
      assert.strictEqual(built, 1)
    }),
  )

  it("refuses a set that lacks a lane, and a lane that lacks a method, when it is compiled", () => {
    // @ts-expect-error the set has no Echo
    LaneSets.layer(catalogue, { test: Layer.empty, live: Layer.empty })
    // @ts-expect-error three methods are missing
    Layer.succeed(Echo, { paid: () => Effect.fail(fail("not_found")) })
    // @ts-expect-error an unknown id
    assert.isUndefined(catalogue.get("echo_unknown"))
  })
})
