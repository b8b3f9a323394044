import { assert, describe, it } from "@effect/vitest"
import type { Funds, Price } from "../../../core/account/decide.ts"
import { MicroUsd, zero } from "../../../core/account/Money.ts"
import { blockedBy, nothing, plus, priceOf, quote } from "../../../core/endpoint/Pricing.ts"
import { filing } from "../../../core/lanes/filings/endpoints.ts"
import { settlement } from "../../../core/lanes/weather/endpoints.ts"

const price = (list: number, micros = list): Price => ({ list: MicroUsd(list), micros: MicroUsd(micros) })
const wallet = (balance: number, agent?: Funds["agent"]): Funds => ({ balance: MicroUsd(balance), agent })
const spent = (monthlyCap: number | undefined, budgetCap: number | undefined, month: number, total: number) =>
  ({
    monthlyCap: monthlyCap === undefined ? undefined : MicroUsd(monthlyCap),
    budgetCap: budgetCap === undefined ? undefined : MicroUsd(budgetCap),
    monthSpent: MicroUsd(month),
    totalSpent: MicroUsd(total),
  }) as NonNullable<Funds["agent"]>

describe("the price of a call", () => {
  it("is charged for a live key; a test key's counts and charges nothing", () => {
    assert.deepStrictEqual(priceOf(1_000, true), price(1_000))
    assert.deepStrictEqual(priceOf(1_000, false), price(1_000, 0))
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
    assert.deepStrictEqual(quote(settlement, true, 400), { endpoint: path, price: shown, charged_micros: 400 })
  })

  it("of an endpoint in development is shown and not charged", () => {
    assert.deepStrictEqual(quote(filing), {
      endpoint: filing.path,
      price: { display: "0.005 USD", micros: 5_000 },
      charged_micros: 0,
    })
  })
})

describe("a call that cannot be paid", () => {
  it("exceeds the wallet by a millionth, calls that come first included", () => {
    assert.isUndefined(blockedBy(wallet(1_000), price(1_000)))
    assert.strictEqual(blockedBy(wallet(999), price(1_000)), "insufficient_funds")
    assert.isUndefined(blockedBy(wallet(1_500), price(1_000), price(500)))
    assert.strictEqual(blockedBy(wallet(1_500), price(1_000), price(501)), "insufficient_funds")
  })

  it("exceeds the month's cap or the whole budget, calls that come first included", () => {
    for (const agent of [spent(2_000, undefined, 500, 9_000), spent(undefined, 2_000, 0, 500)]) {
      assert.isUndefined(blockedBy(wallet(9_000, agent), price(1_000), price(500)))
      assert.strictEqual(blockedBy(wallet(9_000, agent), price(1_000), price(501)), "agent_budget_exceeded")
    }
  })

  it("is named after the budget where both are exceeded", () => {
    assert.strictEqual(blockedBy(wallet(0, spent(10, undefined, 10, 10)), price(1)), "agent_budget_exceeded")
  })

  it("counts a test key's calls against caps by the list price, and against no wallet", () => {
    assert.isUndefined(blockedBy(wallet(0), price(1_000, 0), price(1_000, 0)))
    assert.strictEqual(
      blockedBy(wallet(0, spent(1_500, undefined, 0, 0)), price(1_000, 0), price(501, 0)),
      "agent_budget_exceeded",
    )
  })
})
