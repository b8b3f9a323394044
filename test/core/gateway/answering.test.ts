import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { MicroUsd } from "../../../core/account/Money.ts"
import { MarketQuotes } from "../../../core/contracts/MarketQuotes.ts"
import type { Answer } from "../../../core/endpoint/Answer.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as decode from "../../../core/endpoint/decode.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Envelope from "../../../core/endpoint/Envelope.ts"
import * as Field from "../../../core/endpoint/Field.ts"
import * as Param from "../../../core/endpoint/Param.ts"
import { type Capture, make } from "../../../core/gateway/answering.ts"
import type { Question, RequestContext } from "../../../core/gateway/Call.ts"
import { EntityTags } from "../../../core/gateway/EntityTags.ts"
import * as Step from "../../../core/Step.ts"

const data = Endpoint.declare({
  path: "/v1/test/data",
  kind: "Data",
  priceMicros: 500,
  auth: "key",
  summary: "Data of this test",
  example: { n: 1 },
  params: Schema.Struct({ n: Param.integer(1, 9, "A number.") }),
  results: Schema.Struct({ n: Field.integer(), size: Field.integer(), secret: Field.verbose(Field.text()) }),
})
const signal = Endpoint.declare({ ...data, path: "/v1/test/signal", kind: "Signal" })

const record = { recorded: (contracts: number) => ({ n: 1, size: 10, secret: `on ${contracts} contracts` }) }
const answer = (changes: object = {}): Answer<unknown> => ({
  results: { n: 1, size: 10, secret: "s" },
  ...{ reasoning: ["Counted."], citations: [], links: [], freshness: "live" },
  confidence: { score: 1, label: "settlement", factors: [] },
  record: record as never,
  ...changes,
})

const prepare = Effect.provide(
  make({ byId: new Map(), byPath: new Map() } as unknown as Catalogue.Any),
  Layer.mergeAll(
    MarketQuotes.layerNone,
    Layer.succeed(EntityTags, { of: (question, results) => Effect.succeed(`W/"${question}:${results}"`) }),
  ),
)

const asked = (endpoint: Endpoint.Any, params: Record<string, unknown>, context: Partial<RequestContext> = {}) =>
  Effect.map(
    decode.compile(endpoint)({ _tag: "Json", value: { n: 1, ...params } }, 0),
    (decoded): Question => ({
      call: { requestId: "req_1", startedAt: 0, since: 0, context: { authorization: undefined, ...context } },
      ...{ endpoint, decoded, paramsHash: "hash" },
    }),
  )

const captured = { contracts: [{}, {}], capture: { id: "cap_1" } }
const capturing: Capture = () => Effect.succeed(captured as never)

/** The answer to a call, prepared. */
const found = (
  endpoint: Endpoint.Any,
  params: Record<string, unknown> = {},
  { context = {}, given = {}, capture }: { context?: Partial<RequestContext>; given?: object; capture?: Capture } = {},
) =>
  Effect.gen(function* () {
    const question = yield* asked(endpoint, params, context)
    return yield* Step.run((yield* prepare)(question, () => Effect.succeed(answer(given)), capture))
  })

describe("the tag of an answer", () => {
  it.effect("is of its call and its results, also of those that were not selected", () =>
    Effect.gen(function* () {
      const slim = '{"n":1,"size":10}'
      assert.strictEqual((yield* found(data)).etag, `W/"hash:${slim}"`)
      assert.strictEqual((yield* found(data, { fields: ["n"] })).etag, `W/"hash:{"n":1}\n${slim}"`)
    }),
  )

  it.effect("that the client has makes it unchanged, in the same format alone", () =>
    Effect.gen(function* () {
      const { etag } = yield* found(signal, {}, {})
      assert.isUndefined(etag, "signals are new with every call")
      const given = { results: { n: 1 } }
      const tag = (yield* found(data, {}, { given })).etag!
      const isUnchanged = (context: Partial<RequestContext>) =>
        Effect.map(found(data, {}, { context, given }), ({ unchanged }) => unchanged)
      assert.isTrue(yield* isUnchanged({ ifNoneMatch: tag }))
      assert.isFalse(yield* isUnchanged({ ifNoneMatch: tag, format: "csv" }))
      assert.isFalse(yield* isUnchanged({ ifNoneMatch: 'W/"other"' }))
      assert.isFalse(yield* isUnchanged({}))
    }),
  )
})

describe("a signal", () => {
  it.effect("that is recorded has the results of a recorded one", () =>
    Effect.gen(function* () {
      const one = yield* found(signal, {}, { capture: capturing })
      assert.strictEqual(one.captured, captured as never)
      // The answer names its entry, also when it is sent again, and its size counts it.
      const last = { requestId: `req_${"0".repeat(26)}`, latencyMs: 0, charged: MicroUsd(500) }
      for (const prepared of [one.prepared, Envelope.fromStored(Envelope.toStored(one.prepared))]) {
        const text = Envelope.finish(prepared, last).toText()
        const { _meta } = JSON.parse(text)
        assert.deepStrictEqual(
          [_meta.record, _meta.tokens_estimated],
          ["/record?leaf=cap_1", Math.ceil(text.length / 4)],
        )
      }
      assert.deepStrictEqual(one.answer.results, record.recorded(2))
    }),
  )

  it.effect("is not recorded where it is generated, not sold, without a record, or nobody captures", () =>
    Effect.gen(function* () {
      for (const given of [{ freshness: "shadow" }, { billable: false }, { record: undefined }]) {
        const one = yield* found(signal, {}, { given, capture: capturing })
        assert.deepStrictEqual([one.captured, one.answer.results], [undefined, answer().results])
        assert.isUndefined(one.prepared.meta?.record)
      }
      assert.isUndefined((yield* found(signal)).captured)
    }),
  )
})

describe("what is asked for in addition", () => {
  it.effect("is computed, and empty where the lane has none", () =>
    Effect.gen(function* () {
      const alternatives = Effect.succeed([{ id: "a", label: "A", score: 0.5, why: "near" }])
      const given = { extras: { alternatives } }
      const bodyOf = (include: string) =>
        Effect.map(found(signal, { include: [include] }, { given }), ({ prepared }) => JSON.stringify(prepared))
      assert.include(yield* bodyOf("_alternatives"), "near")
      assert.notInclude(yield* bodyOf("_counterfactual"), "near")
      assert.include(yield* bodyOf("_counterfactual"), '_counterfactual\\":{}')
    }),
  )
})
