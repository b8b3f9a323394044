import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { exampleTarget } from "../../../adapters/describe/operation.ts"
import { mock as filings } from "../../../adapters/lanes/filings/mock/mod.ts"
import type { Answer } from "../../../core/endpoint/Answer.ts"
import * as decode from "../../../core/endpoint/decode.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Select from "../../../core/endpoint/Select.ts"
import type { Failure } from "../../../core/Failure.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { Filings } from "../../../core/lanes/filings/mod.ts"
import { clockAt } from "../../support/clock.ts"
import { mockMarketsOnce } from "../../support/mockLanes.ts"
import { type Running, start } from "../../support/running.ts"

/** All lanes have something then. */
const now = Date.UTC(2026, 8, 11, 15)
const clock = clockAt(now)

/** The services as an embedder builds them, over the generated ports. */
const embedded = Layer.merge(mockMarketsOnce, Filings.layer.pipe(Layer.provide(filings)))

type Methods = Readonly<Record<string, (params: unknown) => Effect.Effect<Answer<unknown>, Failure>>>

let running: Running
beforeAll(async () => {
  running = await start({}, { clock })
})
afterAll(() => running.stop())

const read = catalogue.entries.filter(({ endpoint }) => endpoint.writes === undefined)

describe("an embedder's call", () => {
  it.effect.each(read.map((entry) => ({ id: entry.endpoint.id, ...entry })))(
    "of $id has the numbers that are served",
    ({ endpoint, lane, method }) =>
      Effect.gen(function* () {
        const value = endpoint.example as Readonly<Record<string, unknown>>
        const { params } = Either.getOrThrow(decode.compile(endpoint)({ _tag: "Json", value }, now))
        const service = (yield* Effect.context<never>()).pipe(Context.unsafeGet(lane.tag)) as Methods
        const { results, extras = {} } = yield* service[method]!(params)
        const whole = (query: string) =>
          Effect.promise(async () => {
            const target = exampleTarget(endpoint)
            const path = `${target}${target.includes("?") ? "&" : "?"}${query}`
            const { status, json } = await running.get(path, running.account.test.token)
            assert.strictEqual(status, 200, JSON.stringify(json))
            return json
          })
        const served = (query: string) =>
          Effect.map(whole(query), (json) => (Endpoint.isKeyless(endpoint) ? json : json.results))
        const wire = (part: unknown) => JSON.parse(JSON.stringify(part))
        const { next_cursor: _, ...verbose } = yield* served("verbose=true")
        assert.deepStrictEqual(wire(results), verbose)
        if (!Endpoint.isKeyless(endpoint)) {
          const { _alternatives, _counterfactual } = yield* whole("include=_alternatives,_counterfactual")
          assert.deepStrictEqual(wire(yield* extras.alternatives ?? Effect.succeed([])), _alternatives)
          assert.deepStrictEqual(wire(yield* extras.counterfactual ?? Effect.succeed({})), _counterfactual)
        }
        const { next_cursor: _next, ...slim } = yield* served("verbose=false")
        assert.deepStrictEqual(wire(Select.apply(Select.compile(endpoint.results).slim, results)), slim)
      }).pipe(Effect.provide(embedded), Effect.withClock(clock)),
  )
})
