import { assert, describe, it } from "@effect/vitest"
import { parse } from "../../../../adapters/runtime/telemetry/traceparent.ts"

const [trace, span] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"]

describe("the header traceparent", () => {
  it("names the caller's span and its decision", () => {
    assert.deepStrictEqual(parse(`00-${trace}-${span}-01`), { traceId: trace, spanId: span, isSampled: true })
    assert.deepStrictEqual(parse(`00-${trace}-${span}-00`), { traceId: trace, spanId: span, isSampled: false })
    assert.isTrue(parse(`00-${trace}-${span}-03`)?.isSampled)
    assert.isTrue(parse(`cc-${trace}-${span}-01-what-comes-later`)?.isSampled, "a later version")
  })

  it.each([
    undefined,
    "",
    `00-${trace}-${span}`,
    `00-${trace}-${span}-01-more`,
    `ff-${trace}-${span}-01`,
    `00-${"0".repeat(32)}-${span}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-0`,
    `00-${trace.slice(1)}-${span}-01`,
    `cc-${trace}-${span}-01-${"x".repeat(300)}`,
  ])("%s is as if it were absent", (header) => {
    assert.isUndefined(parse(header))
  })
})
