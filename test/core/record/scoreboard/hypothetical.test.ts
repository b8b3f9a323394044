import { assert, describe, it } from "@effect/vitest"
import * as Hypothetical from "../../../../core/record/scoreboard/hypothetical.ts"

const offer = (changes: Partial<Hypothetical.Offer> = {}): Hypothetical.Offer => ({
  venue: "kalshi",
  capturedAt: Date.UTC(2026, 10, 1),
  model: 600_000,
  market: 500_000,
  yesAsk: 5_100,
  noAsk: 5_100,
  feeRate: 700,
  happened: true,
  ...changes,
})

const ledgerOf = (...offers: ReadonlyArray<Hypothetical.Offer>): Hypothetical.HypotheticalTrades => {
  const ledger = Hypothetical.empty()
  for (const each of offers) Hypothetical.add(ledger, each)
  return ledger
}

const midnight = Date.UTC(2026, 6, 7, 4)
const before = Hypothetical.feeRounding("kalshi", midnight - 1)!
const since = Hypothetical.feeRounding("kalshi", midnight)!
const stake = (price: number) => ({ numerator: 10_000, denominator: price })

describe("a venue's fee", () => {
  // From the fee formula in exact rationals, cents: price in ten-thousandths; 1, 10 and 100 contracts at a rate of 0.07.
  for (const [price, one, ten, hundred] of [
    [100, 1, 1, 7],
    [500, 1, 4, 34],
    [1_000, 1, 7, 63],
    [2_500, 2, 14, 132],
    [5_000, 2, 18, 175],
    [7_500, 2, 14, 132],
    [9_000, 1, 7, 63],
    [9_900, 1, 1, 7],
  ] as const) {
    it(`at ${price / 10_000} USD was ${one}, ${ten} and ${hundred} cents before 7 July 2026`, () => {
      const fees = [1, 10, 100].map((numerator) =>
        Hypothetical.feeMicros(700, price, { numerator, denominator: 1 }, before),
      )
      assert.deepStrictEqual(fees, [one * 10_000, ten * 10_000, hundred * 10_000])
    })
  }

  it("of a stake of 1 USD is the rate times what may be lost, rounded as the venue does, at every price", () => {
    for (let price = 1; price < 10_000; price++) {
      const micros = 700n * BigInt(10_000 - price)
      const fees = [before, since, Hypothetical.feeRounding("polymarket", midnight)!].map((rounding) =>
        Hypothetical.feeMicros(700, price, stake(price), rounding),
      )
      const up = (step: bigint) => Number(((micros + 100n * step - 1n) / (100n * step)) * step)
      assert.deepStrictEqual(fees, [up(10_000n), up(100n), Number((micros / 1_000n) * 10n)])
    }
  })

  it("is what the venue's own documents compute: one contract at 0.055 USD", () => {
    assert.strictEqual(Hypothetical.feeMicros(700, 550, { numerator: 1, denominator: 1 }, since), 3_700)
  })

  it("is never computed where whole numbers end", () => {
    assert.throws(() => Hypothetical.feeMicros(10_000, 5_000, { numerator: 1e6, denominator: 1 }, since), RangeError)
  })
})

describe("the trades of the pool's rule", () => {
  const pooled = (changes: Partial<Hypothetical.PooledOffer>, sign: 1 | -1 = 1, into = Hypothetical.empty()) => {
    Hypothetical.addPooled(into, { ...offer(), pool: 500_000, ...changes }, sign)
    return into
  }
  const traded = (changes: Partial<Hypothetical.PooledOffer>) => {
    const { trades, wins, unknownFee } = pooled(changes)
    return [trades, wins, unknownFee]
  }

  it("are where the expected gain is above 0: the ask and the fee are paid for, to the millionth", () => {
    // At an ask of 0.51 the fee is 0.017493: 0.527493 gains nothing.
    assert.deepStrictEqual(traded({ pool: 527_493 }), [0, 0, 0])
    assert.deepStrictEqual(traded({ pool: 527_494 }), [1, 1, 0])
    assert.deepStrictEqual(traded({ pool: 527_494, happened: false }), [1, 0, 0])
    // The same to the other side.
    assert.deepStrictEqual(traded({ pool: 472_507, happened: false }), [0, 0, 0])
    assert.deepStrictEqual(traded({ pool: 472_506, happened: false }), [1, 1, 0])
    // However far off the model is, the price alone gains nothing, with no spread and no fee either.
    assert.deepStrictEqual(traded({ model: 990_000 }), [0, 0, 0])
    assert.deepStrictEqual(traded({ yesAsk: 5_000, noAsk: 5_000, feeRate: 0 }), [0, 0, 0])
  })

  it("count an unknown fee where the pool is beyond the ask, and are taken out again", () => {
    assert.deepStrictEqual(traded({ feeRate: undefined, pool: 510_000 }), [0, 0, 0])
    assert.deepStrictEqual(traded({ feeRate: undefined, pool: 510_001 }), [0, 0, 1])
    const ledger = pooled({ pool: 600_000 })
    assert.isAbove(Hypothetical.balance(ledger).pnl, 0)
    assert.deepStrictEqual(pooled({ pool: 600_000 }, -1, ledger), Hypothetical.empty())
  })
})

describe("the hypothetical ledger", () => {
  const cases: ReadonlyArray<
    readonly [what: string, changes: Partial<Hypothetical.Offer>, side: "yes" | "no" | "none" | "unknown fee"]
  > = [
    ["0.05 above the market", { model: 550_000 }, "yes"],
    ["0.05 below the market", { model: 450_000 }, "no"],
    ["a millionth less than 0.05", { model: 549_999 }, "none"],
    ["0.35 over 0.30, which is less than 0.05 in doubles", { model: 350_000, market: 300_000 }, "yes"],
    ["agreement", { model: 500_000 }, "none"],
    ["an ask of a dollar", { yesAsk: 10_000 }, "none"],
    ["an ask of nothing", { yesAsk: 0 }, "none"],
    ["no fee known", { feeRate: undefined }, "unknown fee"],
    ["a venue whose rounding is not known", { venue: "other" }, "unknown fee"],
    ["no fee known, but no edge either", { feeRate: undefined, model: 510_000 }, "none"],
    ["a fee of nothing", { feeRate: 0 }, "yes"],
  ]
  for (const [what, changes, side] of cases) {
    it(`${what}: ${side}`, () => {
      const [won, lost] = [true, false].map((happened) => ledgerOf(offer({ ...changes, happened })))
      const trades = side === "yes" || side === "no" ? 1 : 0
      assert.deepStrictEqual([won!.trades, lost!.trades], [trades, trades])
      assert.strictEqual(won!.unknownFee, side === "unknown fee" ? 1 : 0)
      assert.deepStrictEqual([won!.wins, lost!.wins], side === "no" ? [0, 1] : [trades, 0])
    })
  }

  it("buys 1 / ask contracts with a dollar, and pays the fee on top", () => {
    // Yes at .51 won: 1/.51 − 1 − .0343; no at .40 lost: −1 − .042; no at .40 won: 1/.40 − 1 − .042.
    const won = offer()
    const lost = offer({ model: 400_000, noAsk: 4_000 })
    const both = ledgerOf(won, lost, { ...lost, happened: false })
    const { trades, wins, losses, staked, fees, pnl, roi } = Hypothetical.balance(both)
    assert.deepStrictEqual(
      { trades, wins, losses, staked, fees },
      { trades: 3, wins: 2, losses: 1, staked: 3, fees: 0.1183 },
    )
    const exact = 1 / 0.51 + 1 / 0.4 - 3 - 0.1183
    assert.approximately(pnl, exact, 1e-14)
    assert.approximately(roi, exact / 3, 1e-14)
  })

  it("does not call a contract that paid a win where the fee took the gain", () => {
    const dear = ledgerOf(offer({ capturedAt: midnight - 1, yesAsk: 9_950, market: 800_000, model: 990_000 }))
    assert.deepStrictEqual([dear.trades, dear.wins, dear.feeMicros], [1, 0, 10_000])
    assert.isBelow(Hypothetical.balance(dear).pnl, 0)
  })

  it("is the same in any order, and empty again when all is taken away", () => {
    const offers = Array.from({ length: 300 }, (_, at) =>
      offer({ yesAsk: 1_000 + ((at * 37) % 8_000), model: (at * 7_919) % 1_000_000, happened: at % 3 === 0 }),
    )
    const [forth, back] = [ledgerOf(...offers), ledgerOf(...[...offers].reverse())]
    assert.deepStrictEqual(Hypothetical.balance(forth), Hypothetical.balance(back))
    const parts = ledgerOf(...offers.slice(0, 100))
    Hypothetical.merge(parts, ledgerOf(...offers.slice(100)))
    assert.deepStrictEqual(parts, forth)
    for (const each of offers) Hypothetical.add(forth, each, -1)
    assert.deepStrictEqual(forth, Hypothetical.empty())
    assert.isNaN(Hypothetical.balance(forth).roi)
  })
})
