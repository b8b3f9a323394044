import { assert } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Contract } from "../../core/contracts/Contract.ts"
import type { Venue } from "../../core/lanes/markets/ports.ts"
import { domains } from "../../core/record/scoreboard/Settled.ts"

/** A venue at a moment at which it lists something in every one of its domains. */
export interface Occasion {
  readonly venue: Venue
  /** Contracts that it is through with. */
  readonly ended: ReadonlyArray<string>
  /** Contracts whose trading has ended, and whose result is not final. */
  readonly pending: ReadonlyArray<string>
}

/** What every venue owes its callers, by the sentence that says it. */
export type VenueCases = Readonly<Record<string, (occasion: Occasion) => Effect.Effect<void, unknown>>>

const openIn = ({ venue }: Occasion) =>
  Effect.map(
    Effect.forEach(venue.domains, (domain) =>
      Effect.map(venue.open(domain), ({ items, failed }) => {
        assert.deepStrictEqual(failed, [], `${domain}: left without an answer`)
        assert.isAbove(items.length, 0, `${domain}: nothing is listed`)
        return items.map((contract) => ({ domain, contract }))
      }),
    ),
    (found) => found.flat(),
  )

const eachOpen = (look: (contract: Contract, now: number) => void) => (occasion: Occasion) =>
  Effect.gen(function* () {
    const listed = yield* openIn(occasion)
    const now = yield* Clock.currentTimeMillis
    for (const { contract } of listed) look(contract, now)
  })

const decided = ({ venue }: Occasion, tickers: ReadonlyArray<string>) =>
  Effect.map(venue.outcomes(tickers), ({ items, failed }) => {
    assert.deepStrictEqual(failed, [])
    const found = new Map(items.map((outcome) => [outcome.ticker, outcome]))
    assert.strictEqual(found.size, items.length, "a contract has two results")
    for (const ticker of found.keys()) assert.include(tickers, ticker, "nobody asked for it")
    return found
  })

/** Which strikes a type has; the words are the venues', and one that is not among them is nobody's to price. */
const strikesOf: Readonly<Record<string, readonly [floor: boolean, cap: boolean]>> = {
  greater: [true, false],
  greater_or_equal: [true, false],
  less: [false, true],
  less_or_equal: [false, true],
  between: [true, true],
}

/**
 * @example
 * for (const [sentence, holds] of Object.entries(venueCases)) it.effect(sentence, () => holds(occasion))
 */
export const venueCases: VenueCases = {
  "lists contracts of the domain that was asked for, under its own name": (occasion) =>
    Effect.map(openIn(occasion), (listed) => {
      const { name, domains: own } = occasion.venue
      assert.isNotEmpty(name)
      assert.includeMembers([...domains], [...own])
      for (const { domain, contract } of listed) {
        assert.strictEqual(contract.domain, domain, contract.ticker)
        assert.strictEqual(contract.venue, name, contract.ticker)
      }
    }),
  "gives each contract a name of its own, in an event of one series": (occasion) =>
    Effect.map(openIn(occasion), (listed) => {
      const tickers = listed.map(({ contract }) => contract.ticker)
      assert.strictEqual(new Set(tickers).size, tickers.length)
      const seriesOf = new Map<string, string>()
      for (const { contract } of listed) {
        for (const text of [contract.ticker, contract.event, contract.series, contract.title]) assert.isNotEmpty(text)
        assert.strictEqual(seriesOf.get(contract.event) ?? contract.series, contract.series, contract.event)
        seriesOf.set(contract.event, contract.series)
      }
      assert.isBelow(seriesOf.size, tickers.length, "no event has two contracts")
    }),
  "lists what closes in the future, with a book of now": eachOpen(({ ticker, closeTime, quotedAt }, now) => {
    assert.isTrue(Number.isSafeInteger(closeTime) && closeTime > now, ticker)
    assert.isTrue(Number.isSafeInteger(quotedAt) && quotedAt <= now && quotedAt > now - 60_000, ticker)
  }),
  "has books in whole ten-thousandths of a dollar, and 0 or a dollar where a side is missing": eachOpen(
    ({ ticker, bidAsk }) => {
      for (const price of [bidAsk.yesBid, bidAsk.yesAsk, bidAsk.noAsk]) {
        assert.isTrue(Number.isInteger(price) && price >= 0 && price <= 10_000, `${ticker}: ${price}`)
      }
      // Who sells no at a price buys yes at a dollar less it.
      assert.strictEqual(bidAsk.noAsk, 10_000 - bidAsk.yesBid, ticker)
    },
  ),
  "tells the strikes that a type of strike has, and no others": eachOpen((contract) => {
    const { ticker, strikeType = "", floorStrike, capStrike } = contract
    for (const strike of [floorStrike ?? 0, capStrike ?? 0]) assert.isTrue(Number.isFinite(strike), ticker)
    const told = [floorStrike !== undefined, capStrike !== undefined]
    assert.deepStrictEqual(told, strikesOf[strikeType] ?? [false, false], `${ticker}: ${strikeType}`)
    if (strikeType === "between") assert.isAtMost(floorStrike!, capStrike!, ticker)
  }),
  "says what it settles on, and its fee or nothing": eachOpen(({ ticker, settlesOn, feeRate = 0 }) => {
    assert.isNotEmpty(settlesOn.trim(), ticker)
    assert.isTrue(Number.isInteger(feeRate) && feeRate >= 0 && feeRate <= 10_000, ticker)
  }),
  "decides what has ended, at a time that is past": (occasion) =>
    Effect.gen(function* () {
      const found = yield* decided(occasion, occasion.ended)
      const now = yield* Clock.currentTimeMillis
      assert.sameMembers([...found.keys()], [...occasion.ended])
      for (const { ticker, closedAt, result } of found.values()) {
        assert.isTrue(Number.isSafeInteger(closedAt) && closedAt <= now, ticker)
        assert.include(["yes", "no", "void"], result, ticker)
      }
    }),
  "decides nothing that trades, is not final or was never listed": (occasion) =>
    Effect.gen(function* () {
      const open = (yield* openIn(occasion)).map(({ contract }) => contract.ticker)
      const unknown = ["NO-SUCH-CONTRACT", "no such, contract & more"]
      assert.deepStrictEqual([...(yield* decided(occasion, [...open, ...occasion.pending, ...unknown]))], [])
      assert.deepStrictEqual([...(yield* decided(occasion, []))], [])
    }),
  "says the same however often, in whatever order and among however many it is asked": (occasion) =>
    Effect.gen(function* () {
      const { ended } = occasion
      const found = yield* decided(occasion, ended)
      assert.deepStrictEqual(yield* decided(occasion, ended), found)
      const many = [...ended.toReversed(), ...Array.from({ length: 250 }, (_, at) => `NO-SUCH-${at}`)]
      const among = yield* decided(occasion, many)
      assert.strictEqual(among.size, found.size)
      for (const [ticker, outcome] of found) assert.deepStrictEqual(among.get(ticker), outcome)
    }),
}
