import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { MicroUsd } from "../../../core/account/Money.ts"
import type { Answer } from "../../../core/endpoint/Answer.ts"
import * as Envelope from "../../../core/endpoint/Envelope.ts"
import { catalogue } from "../../../core/lanes/all.ts"

const keyed = catalogue.entries.map(({ endpoint }) => endpoint).filter(({ auth }) => auth === "key")

const answer: Answer<unknown> = {
  results: { text: "×1.00 °F", count: 3 },
  reasoning: ["One − step", "☂"],
  citations: [{ step: 1, source: "tape", locator: "/v1/crypto/spot" }],
  confidence: { score: 0.9, label: "reasoned", factors: ["horizon 5 min: ×1.00"] },
  links: [],
  freshness: "mock",
}

const last = { requestId: "req_01ARYZ6S4100000000000000", latencyMs: 12, charged: MicroUsd(20_000) }

const bodyOf = (endpoint: (typeof keyed)[number], cursor?: string, charged = last.charged): Envelope.Body => {
  const results = Envelope.writeResults(endpoint, answer, "all", cursor)
  const prepared = Envelope.prepare(endpoint, answer, results, {}, cursor)
  return Envelope.finish(prepared, { ...last, charged })
}

describe("the body of an answer", () => {
  for (const cursor of [undefined, "eyJ"]) {
    it(`is the text of its value, and as long as it says, ${cursor === undefined ? "on the last page" : "with a cursor"}`, () => {
      for (const endpoint of keyed) {
        for (const charged of [0, endpoint.priceMicros]) {
          const body = bodyOf(endpoint, cursor, MicroUsd(charged))
          const text = body.toText()
          assert.strictEqual(text, JSON.stringify(body.toValue()))
          assert.strictEqual(body.bytes, Buffer.byteLength(text))
          const { _meta } = body.toValue() as { readonly _meta: { readonly tokens_estimated: number } }
          assert.closeTo(_meta.tokens_estimated, Buffer.byteLength(text) / 4, 2)
        }
      }
    })
  }

  it("has no length without `_meta`, which its transport counts", () => {
    const [open] = catalogue.entries.filter(({ endpoint: { auth } }) => auth !== "key")
    const results = Envelope.writeResults(open!.endpoint, answer, "all", undefined)
    assert.isUndefined(Envelope.finish(Envelope.prepare(open!.endpoint, answer, results, {}, undefined), last).bytes)
  })
})

describe("the stored reply of a call", () => {
  const everyKind = [...keyed, catalogue.entries.find(({ endpoint: { auth } }) => auth !== "key")!.endpoint]
  const whole = (prepared: Envelope.Prepared) => Envelope.finish(prepared, last)

  it("gives the same body again", () => {
    for (const endpoint of everyKind) {
      for (const cursor of [undefined, "eyJ\n"]) {
        const results = Envelope.writeResults(endpoint, answer, "all", cursor)
        const prepared = Envelope.prepare(endpoint, answer, results, {}, cursor)
        const again = Envelope.fromStored(Envelope.toStored(prepared))
        assert.strictEqual(whole(again).toText(), whole(prepared).toText())
        assert.deepStrictEqual(whole(again).toValue(), JSON.parse(whole(prepared).toText()))
        assert.strictEqual(Envelope.tokenSize(again), Envelope.tokenSize(prepared))
      }
    }
  })
})

describe("the UTF-8 length of a text", () => {
  it("is the same where the platform counts, and by writing", () => {
    const texts = fc.sample(fc.string({ unit: "binary", maxLength: 300 }), 200)
    // A lone surrogate is written as U+FFFD; the last one is longer than the buffer.
    const all = ["", "a", "é", "☂", "😀", "\ud800", "a\udc00b", "é☂😀".repeat(20_000), ...texts]
    const encoder = new TextEncoder()
    const expected = all.map((text) => encoder.encode(text).length)
    for (const count of [Envelope.byteLength, Envelope.lengthWritten])
      assert.deepStrictEqual(
        all.map((text) => count(text)),
        expected,
      )
  })
})
