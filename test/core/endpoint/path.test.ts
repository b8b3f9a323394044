import { assert, describe, it } from "@effect/vitest"
import { fillPath } from "../../../core/endpoint/path.ts"

describe("a path with parameters", () => {
  it("is the path alone without any", () => {
    assert.strictEqual(fillPath("/v1/key", {}), "/v1/key")
  })

  it("has them in their order, whatever their kind", () => {
    assert.strictEqual(
      fillPath("/v1/crypto/signal", { asset: "BTC", horizon_minutes: 60, verbose: false }),
      "/v1/crypto/signal?asset=BTC&horizon_minutes=60&verbose=false",
    )
  })

  it("separates a list by commas and escapes what is in its items, not the commas between them", () => {
    assert.strictEqual(fillPath("/v1/x", { list: [1, 2.5, "a,b"] }), "/v1/x?list=1,2.5,a%2Cb")
    assert.strictEqual(fillPath("/v1/x", { list: [] }), "/v1/x?list=")
  })

  it("escapes what a query would read as its own", () => {
    assert.strictEqual(fillPath("/v1/x", { q: "a&b=c d/é" }), "/v1/x?q=a%26b%3Dc%20d%2F%C3%A9")
  })
})
