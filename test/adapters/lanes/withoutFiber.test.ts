import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, describe } from "vitest"
import { Accounts } from "../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import { withAccount } from "../../../core/lanes/account/Account.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import * as Step from "../../../core/Step.ts"
import * as App from "../../../services/app.ts"
import { clockAt } from "../../support/clock.ts"
import { fillTapes } from "../../support/liveTape.ts"
import { settings } from "../../support/running.ts"
import { count } from "../../support/spender.ts"

/** Endpoints whose calls run in a fiber even where everything is in memory, with the reason. */
const inFiber: Readonly<Record<string, string>> = {
  find: "reads the caller from the fiber's context, and an index that is made at most once a minute",
  key: "reads the caller from the fiber's context",
  bench_opinions: "reads the caller from the fiber's context",
  bench_withdraw: "reads the caller from the fiber's context",
  markets_history: "generates hours of signals, and yields to the event loop between them",
  wallet: "reads the caller from the fiber's context, and orders from the store",
  plan_estimate: "reads the caller from the fiber's context, and yields to the event loop in a long plan",
}

/** In the football season, with baseball not yet over. */
const clock = clockAt(Date.UTC(2026, 8, 18, 15, 30))

const served = ManagedRuntime.make(
  App.gateway(settings()).pipe(Layer.provideMerge(App.store(settings())), Layer.provide(Layer.setClock(clock))),
)

/** How a call ends that has begun: `fiber` if it has to wait for one. */
const outcomeOf = (call: Step.Step<Served>): Promise<Exit.Exit<Served> | "fiber"> => {
  if (Step.isDone(call)) return Promise.resolve(call)
  if (!Step.isPending(call)) return Promise.resolve("fiber")
  return new Promise((resolve) => call.listen((result) => resolve(outcomeOf(result))))
}

/** A test key and a live key of an account with money. */
const issued = Effect.gen(function* () {
  const accounts = yield* Accounts
  const { id } = yield* accounts.create("tester")
  yield* accounts.credit(id, MicroUsd(10_000_000))
  const keys = new Map<string, string>()
  for (const environment of ["test", "live"] as const) {
    const { plaintext } = yield* accounts.issueKey({ account: id, environment, tier: "pro" })
    keys.set(environment, Redacted.value(plaintext))
  }
  return keys
})

describe("a call that finds everything in memory", { timeout: 120_000 }, () => {
  let keys: ReadonlyMap<string, string> = new Map()
  beforeAll(async () => {
    keys = await served.runPromise(issued)
  }, 120_000)
  afterAll(() => served.dispose())

  const { entries } = withAccount(catalogue)
  // What a key manages is in the store.
  const cases = entries.flatMap((entry) =>
    (entry.lane.about === "account" ? [] : entry.endpoint.auth === "key" ? ["test", "live"] : ["no"]).map(
      (key) => [key, entry.endpoint.id, entry] as const,
    ),
  )

  it("is in the catalogue under every name that is listed as an exception", () => {
    const ids = new Set(entries.map(({ endpoint }) => endpoint.id))
    assert.deepStrictEqual(
      Object.keys(inFiber).filter((id) => !ids.has(id)),
      [],
    )
  })

  it.each(cases)("with %s key: %s", async (key, id, entry: Catalogue.Entry) => {
    const gateway = await served.runPromise(Gateway)
    const token = keys.get(key)
    const question = [
      entry,
      { _tag: "Json", value: entry.endpoint.example as Readonly<Record<string, unknown>> },
      { authorization: token === undefined ? undefined : `Bearer ${token}` },
    ] as const
    const before = await served.runPromise(gateway.serve(...question))
    assert.strictEqual(before.status, 200, id)
    const outcome = await outcomeOf(Step.eager(gateway.serve)(...question))
    assert.strictEqual(outcome === "fiber" ? outcome : outcome._tag, id in inFiber ? "fiber" : "Success", inFiber[id])
    if (outcome !== "fiber" && Exit.isSuccess(outcome)) assert.strictEqual(outcome.value.status, 200)
  })
})

it.scopedLive("a sold signal of the stored tape, recorded with its charge, needs no fiber either", () => {
  const config = settings({ crypto: "live" })
  return Effect.gen(function* () {
    yield* fillTapes()
    const authorization = `Bearer ${(yield* issued).get("live")}`
    const { serve } = yield* Gateway
    const entry = catalogue.byId.get("crypto_signal")!
    const ask = () => Step.eager(serve)(entry, { _tag: "Json", value: { asset: "BTC" } }, { authorization })
    // The first read of the tape is cached for the second call.
    for (const _ of [1, 2]) {
      const outcome = yield* Effect.promise(() => outcomeOf(ask()))
      assert.isTrue(outcome !== "fiber" && Exit.isSuccess(outcome) && outcome.value.status === 200)
    }
    assert.strictEqual(yield* count("captures"), 2)
  }).pipe(Effect.provide(App.gateway(config).pipe(Layer.provideMerge(App.store(config)))), Effect.withClock(clock))
})
