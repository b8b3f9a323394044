import { assert, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { isProduct } from "../../../../adapters/lanes/weather/wholeProduct.ts"

const refusal = (text: string, awipsId = "CLINYC") => Either.getOrThrow(Either.flip(isProduct(text, awipsId, 0)))

const product = "000\nCDUS41 KOKX 010621\nCLINYC \r\n\nCLIMATE REPORT\n\n$$\n"

it("a product with its id on a line of its own and its end is whole", () => {
  assert.deepStrictEqual(isProduct(product, "CLINYC", 0), Either.right(product))
})

it("another product is refused", () => {
  assert.strictEqual(refusal(product, "CLIMIA"), "The text of CLIMIA: its AWIPS id is not stated, not CLIMIA")
  for (const other of ["xCLINYC", "CLINYC2"]) {
    assert.match(refusal(product.replace("CLINYC", other)), /its AWIPS id is not stated/)
  }
})

it("a product without its end is cut off", () => {
  assert.strictEqual(refusal(product.replace("$$", "")), "The text of CLINYC: its end is not stated, not $$")
})
