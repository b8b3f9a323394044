import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { wholeProduct } from "../../../../adapters/lanes/weather/wholeProduct.ts"

const upstream = { name: "iem", baseUrl: "http://localhost" }
const read = (text: string, awipsId = "CLINYC") => Effect.runSync(Effect.either(wholeProduct(upstream, text, awipsId)))
const refusal = (text: string, awipsId?: string) => Either.getOrThrow(Either.flip(read(text, awipsId))).message

const product = "000\nCDUS41 KOKX 010621\nCLINYC \r\n\nCLIMATE REPORT\n\n$$\n"

it("a product with its id on a line of its own and its end is whole", () => {
  assert.deepStrictEqual(read(product), Either.right(product))
})

it("another product is refused, in good English", () => {
  assert.strictEqual(refusal(product, "CLIMIA"), "The text is not a CLIMIA product.")
  assert.strictEqual(refusal(product, "AFDOKX"), "The text is not an AFDOKX product.")
  assert.strictEqual(refusal(product.replace("CLINYC", "xCLINYC")), "The text is not a CLINYC product.")
  assert.strictEqual(refusal(product.replace("CLINYC", "CLINYC2")), "The text is not a CLINYC product.")
})

it("a product without its end is cut off", () => {
  assert.strictEqual(refusal(product.replace("$$", "")), "The product is cut off: `$$` is missing.")
})
