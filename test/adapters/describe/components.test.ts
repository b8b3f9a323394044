import { assert, describe, it } from "@effect/vitest"
import { codesOf, failures, headers, local } from "../../../adapters/describe/components.ts"
import { codes } from "../../../core/Failure.ts"

interface Response {
  readonly description: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly content: {
    readonly "application/json": {
      readonly examples: Readonly<
        Record<string, { readonly value: { readonly error: { readonly code: string; readonly quote?: unknown } } }>
      >
    }
  }
}

const statuses = new Set(Object.values(codes).map(({ status }) => status))
const responses = failures("https://api.test", statuses) as unknown as Readonly<Record<string, Response>>
const names = (status: number) => Object.keys(responses[`Failure${status}`]!.headers)

describe("the responses of failures", () => {
  it("have each code once, at its status, with an example that is one", () => {
    const found = Object.values(responses).flatMap(({ content }) =>
      Object.entries(content["application/json"].examples),
    )
    assert.sameMembers(
      found.map(([code]) => code),
      Object.keys(codes),
    )
    for (const [code, { value }] of found) assert.strictEqual(value.error.code, code)
    for (const status of statuses) for (const code of codesOf(status)) assert.strictEqual(codes[code].status, status)
  })

  it("say when to try again where that helps, and how a payment is made where one is missing", () => {
    for (const status of statuses) {
      assert.strictEqual(names(status).includes("Retry-After"), [409, 429, 503].includes(status), String(status))
      assert.strictEqual(names(status).includes("Payment-Required"), status === 402, String(status))
    }
    for (const code of codesOf(402)) {
      assert.property(responses["Failure402"]!.content["application/json"].examples[code]!.value.error, "quote")
    }
  })

  it("have the headers of limits, but before a key is known, and where there is no limit", () => {
    assert.include(names(400), "X-RateLimit-Limit")
    assert.notInclude(names(401), "X-RateLimit-Limit")
    const unlimited = failures("https://api.test", new Set([400]), false) as unknown as typeof responses
    assert.deepStrictEqual(Object.keys(unlimited["Failure400"]!.headers), ["X-Request-Id"])
    for (const status of statuses) assert.includeMembers(Object.keys(headers), names(status))
  })
})

it("references of a schema point into the document", () => {
  const schema = { $ref: "#/$defs/Quote", properties: { all: { items: { $ref: "#/$defs/Price" } } } }
  assert.deepStrictEqual(local(schema), {
    $ref: "#/components/schemas/Quote",
    properties: { all: { items: { $ref: "#/components/schemas/Price" } } },
  })
})
