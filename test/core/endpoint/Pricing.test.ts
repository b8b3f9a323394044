import { assert, describe, it } from "@effect/vitest"
import type { Price } from "../../../core/account/decide.ts"
import { MicroUsd, zero } from "../../../core/account/Money.ts"
import { nothing, plus, quote, quotePrice } from "../../../core/endpoint/Pricing.ts"
import { filing } from "../../../core/lanes/filings/mod.ts"
import { settlement } from "../../../core/lanes/weather/endpoints.ts"

const price = (list: number, micros = list): Price => ({ list: MicroUsd(list), micros: MicroUsd(micros) })

describe("the price of a call", () => {
  it("is charged for a live key; a test key's counts and charges nothing", () => {
    assert.deepStrictEqual(quotePrice(settlement, true), price(1_000))
    assert.deepStrictEqual(quotePrice(settlement, false), price(1_000, 0))
  })

  it("is the sum of two, list and charge apart", () => {
    assert.deepStrictEqual(plus(price(3, 2), price(10, 5)), price(13, 7))
    assert.deepStrictEqual(plus(price(3, 2), nothing), price(3, 2))
    assert.deepStrictEqual(nothing, { list: zero, micros: zero })
  })

  it("is quoted with the list price, whatever is charged", () => {
    const shown = { display: "0.001 USD", micros: 1_000 }
    const { path } = settlement
    assert.deepStrictEqual(quote(settlement), { endpoint: path, price: shown, charged_micros: 1_000 })
    assert.deepStrictEqual(quote(settlement, false), { endpoint: path, price: shown, charged_micros: 0 })
  })

  it("of an endpoint in development is shown and not charged", () => {
    assert.deepStrictEqual(quote(filing), {
      endpoint: filing.path,
      price: { display: "0.005 USD", micros: 5_000 },
      charged_micros: 0,
    })
  })
})
