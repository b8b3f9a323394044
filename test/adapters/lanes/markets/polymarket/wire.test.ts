import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import {
  ClosedMarket,
  cursorAfter,
  Listed,
  readContract,
  readOutcome,
} from "../../../../../adapters/lanes/markets/polymarket/wire.ts"

const now = Date.UTC(2026, 6, 7, 12)

const market = {
  slug: "bitcoin-above-64k",
  question: "Will the price of Bitcoin be above $64,000 on July 7?",
  outcomes: '["Yes", "No"]',
  endDate: "2026-07-07T16:00:00Z",
  active: true,
  closed: false,
  acceptingOrders: true,
  groupItemTitle: "64,000",
  description:
    'The resolution source for this market is Binance BTC/USDT "Close" prices currently available at a page.',
  bestBid: 0.4212,
  bestAsk: 0.44,
}

const contract = (changes: Readonly<Record<string, unknown>> = {}, at = now) =>
  readContract(
    Schema.decodeUnknownSync(Listed)({ event: "bitcoin-july-7", market: { ...market, ...changes } }),
    "btc-multi-strikes-weekly",
    at,
  )

describe("a listed market", () => {
  it("is a contract on a close above the strike, in ten thousandths of a dollar", () => {
    assert.deepStrictEqual(contract(), {
      domain: "crypto",
      venue: "polymarket",
      series: "btc-multi-strikes-weekly",
      event: "bitcoin-july-7",
      ticker: market.slug,
      title: market.question,
      strikeType: "greater",
      floorStrike: 64_000,
      closeTime: Date.parse(market.endDate),
      settlesOn: 'Binance BTC/USDT "Close" prices',
      bidAsk: { yesBid: 4_212, yesAsk: 4_400, noAsk: 5_788 },
      quotedAt: now,
    })
  })

  it("without offers has the widest ones", () => {
    assert.deepStrictEqual(contract({ bestBid: null, bestAsk: undefined })?.bidAsk, {
      yesBid: 0,
      yesAsk: 10_000,
      noAsk: 10_000,
    })
  })

  it("closes after the moment of its quote", () => {
    const close = Date.parse(market.endDate)
    assert.isDefined(contract({}, close - 1))
    assert.isUndefined(contract({}, close))
  })

  it.each([
    { active: false },
    { closed: true },
    { acceptingOrders: false },
    { acceptingOrders: null },
    { outcomes: ["No", "Yes"] },
    { outcomes: ["Yes", "No", "Maybe"] },
    { question: "Will the price of Ethereum be above $64,000 on July 7?" },
    { question: "Will the price of Bitcoin be between $64,000 and $66,000 on July 7?" },
    { groupItemTitle: "66,000" },
    { groupItemTitle: null },
    { groupItemTitle: "6,4000", question: "Will the price of Bitcoin be above $6,4000 on July 7?" },
    { description: null },
    { description: 'The resolution source for this market is Binance ETH/USDT "Close" prices.' },
    { description: 'The resolution source for this market is Binance BTC/USDT "High" prices.' },
  ])("of another kind is left out: %j", (changes) => {
    assert.isUndefined(contract(changes))
  })

  it("has a strike with cents, and a source up to the end of its sentence", () => {
    const found = contract({
      question: "Will the price of Bitcoin be above $2,100.50 on July 7?",
      groupItemTitle: " $2100.50 ",
      description: "The resolution source for this market is the close of BTC_USD. Other text.",
    })
    assert.deepStrictEqual([found?.floorStrike, found?.settlesOn], [2_100.5, "the close of BTC_USD"])
  })

  it("has a rate of its fees where that can be worked with", () => {
    const rateOf = (feeSchedule: unknown, feesEnabled = true) => contract({ feesEnabled, feeSchedule })?.feeRate
    assert.strictEqual(rateOf(undefined, false), 0)
    assert.strictEqual(rateOf({ rate: 0.07, exponent: 1 }), 700)
    assert.strictEqual(rateOf({ rate: 1, exponent: 1 }), 10_000)
    assert.isUndefined(rateOf({ rate: 1.01, exponent: 1 }))
    assert.isUndefined(rateOf({ rate: -0.01, exponent: 1 }))
    assert.isUndefined(rateOf({ rate: 0.07, exponent: 2 }))
    assert.isUndefined(rateOf(undefined))
  })
})

describe("a closed market", () => {
  const closed = {
    slug: "bitcoin-above-64k",
    closed: true,
    endDate: "2026-07-07T22:00:00Z",
    closedTime: "2026-07-07 21:25:17+00",
    umaResolutionStatus: "resolved",
    outcomes: ["Yes", "No"],
    outcomePrices: '["1", "0"]',
  }
  const outcome = (changes: Readonly<Record<string, unknown>> = {}) =>
    readOutcome(Schema.decodeUnknownSync(ClosedMarket)({ ...closed, ...changes }))

  it.each([
    ["1", "0", "yes"],
    ["0", "1", "no"],
    ["0.5", "0.50", "void"],
    ["0", "0", "void"],
    ["0.9", "0.1", undefined],
    ["1", "1", undefined],
  ])("with the final prices %s and %s: %s", (yes, no, result) => {
    assert.strictEqual(outcome({ outcomePrices: [yes, no] })?.result, result)
  })

  it("closed when it says so, and by its end at the latest", () => {
    assert.deepStrictEqual(outcome(), {
      ticker: closed.slug,
      closedAt: Date.UTC(2026, 6, 7, 21, 25, 17),
      result: "yes",
    })
    const end = Date.parse(closed.endDate)
    assert.strictEqual(outcome({ closedTime: "2026-07-08 01:00:00+00" })?.closedAt, end)
    assert.strictEqual(outcome({ closedTime: null })?.closedAt, end)
  })

  it("has no result before it is resolved", () => {
    assert.isUndefined(outcome({ closed: false }))
    assert.isUndefined(outcome({ umaResolutionStatus: "proposed" }))
    assert.isUndefined(outcome({ umaResolutionStatus: null }))
    assert.isUndefined(outcome({ umaResolutionStatus: null, outcomePrices: null }))
    assert.throws(() => outcome({ outcomePrices: null }), /a resolved market without outcomePrices/)
    assert.isUndefined(outcome({ outcomes: ["Up", "Down"] }))
  })
})

it("the last page has no cursor, or the venue's word for the end", () => {
  assert.deepStrictEqual(
    [undefined, "", "LTE=", "abc"].map((cursor) => cursorAfter(cursor)),
    ["", "", "", "abc"],
  )
})
