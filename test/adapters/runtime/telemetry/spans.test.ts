import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { OtlpSpan } from "../../../../adapters/runtime/telemetry/otlp.ts"
import { makeSampler, makeTracer, withCommits } from "../../../../adapters/runtime/telemetry/spans.ts"
import { noCounting } from "../../../../core/telemetry/Meter.ts"
import { makeSpan } from "../../../../core/telemetry/Tracing.ts"

const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"]

const collecting = () => {
  const sent: Array<OtlpSpan> = []
  return { sent, send: (one: OtlpSpan) => void sent.push(one) }
}

describe("the sampler of calls", () => {
  it("takes an even share: each fourth of them, none or all", () => {
    const shares = (ratio: number) => {
      const sample = makeSampler(ratio, () => {})
      return Array.from({ length: 8 }, () => sample(undefined) !== undefined)
    }
    const [no, yes] = [false, true]
    assert.deepStrictEqual(shares(0.25), [no, no, no, yes, no, no, no, yes])
    assert.notInclude(shares(0), true)
    assert.notInclude(shares(1), false)
  })

  it("goes on with a client's trace, and leaves one that the client leaves", () => {
    const { sent, send } = collecting()
    const sample = makeSampler(1, send)
    assert.isUndefined(sample(`00-${traceId}-${spanId}-00`))
    const traced = sample(`00-${traceId}-${spanId}-01`)!
    assert.strictEqual(traced.span.traceId, traceId)
    traced.ended("GET /v1/x", { status: 200 }, false)
    const [ended] = sent
    assert.strictEqual(ended?.parentSpanId, spanId)
    assert.strictEqual(ended?.spanId, traced.span.spanId)
    assert.match(ended?.spanId ?? "", /^[\da-f]{16}$/)
    assert.deepStrictEqual([ended?.name, ended?.kind, ended?.status.code], ["GET /v1/x", 2, 0])
    assert.isTrue(BigInt(ended!.endTimeUnixNano) >= BigInt(ended!.startTimeUnixNano))
    assert.approximately(Number(BigInt(ended!.endTimeUnixNano) / 1_000_000n), Date.now(), 60_000)
  })

  it("begins a trace of its own, and marks a failed call", () => {
    const { sent, send } = collecting()
    makeSampler(1, send)(undefined)!.ended("x", {}, true)
    assert.match(sent[0]!.traceId, /^[\da-f]{32}$/)
    assert.isFalse("parentSpanId" in sent[0]!)
    assert.strictEqual(sent[0]!.status.code, 2)
  })
})

describe("the tracer", () => {
  const running = (ratio: number, work: Effect.Effect<unknown, unknown>) => {
    const { sent, send } = collecting()
    return Effect.as(Effect.exit(work).pipe(Effect.withTracer(makeTracer(ratio, send))), sent)
  }

  it.effect("sends our own spans with their parents, not those of libraries", () =>
    Effect.gen(function* () {
      const inner = makeSpan(Effect.void, "inner", "client", { "a.b": 1 })
      const work = Effect.zipRight(Effect.withSpan(Effect.void, "library"), inner)
      const [first, last, ...more] = yield* running(0, makeSpan(work, "job", "internal", {}))
      assert.deepStrictEqual([first?.name, last?.name, more], ["inner", "job", []])
      assert.deepStrictEqual([first?.traceId, first?.parentSpanId], [last?.traceId, last?.spanId])
      assert.deepStrictEqual([first?.kind, last?.kind], [3, 1])
      assert.isFalse("parentSpanId" in last!)
    }),
  )

  it.effect("samples a question to a source that nobody's call asks at the ratio", () =>
    Effect.gen(function* () {
      const ask = makeSpan(Effect.void, "ask", "client", {})
      assert.lengthOf(yield* running(0.5, Effect.repeatN(ask, 3)), 2)
      assert.lengthOf(yield* running(0, ask), 0)
      const failed = yield* running(1, makeSpan(Effect.fail("no"), "ask", "client", {}))
      assert.deepStrictEqual(
        failed.map(({ kind, status }) => [kind, status.code]),
        [[3, 2]],
      )
    }),
  )
})

it("commits have spans at the ratio, and are all counted", () => {
  const { sent, send } = collecting()
  let counted = 0
  const meter = withCommits({ ...noCounting, committed: () => void counted++ }, 0.5, send)
  for (let at = 0; at < 4; at++) meter.committed(at, meter.now(), at < 2)
  assert.strictEqual(counted, 4)
  assert.deepStrictEqual(
    sent.map(({ name, status }) => [name, status.code]),
    [
      ["commit", 0],
      ["commit", 2],
    ],
  )
})
