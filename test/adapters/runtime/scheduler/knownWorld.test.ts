import { assert, describe, it } from "@effect/vitest"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { domains } from "../../../../core/record/scoreboard/Settled.ts"
import { boardIntervals, findPair, pairScores } from "../../../../core/record/scoreboard/scores.ts"
import { eventsOf } from "../../../support/knownWorld/events.ts"
import { bookAt, lawAt, resultOf, truthAt, valueOf } from "../../../support/knownWorld/world.ts"

const day = 86_400_000
const today = Date.UTC(2026, 6, 9)
const hour = 3_600_000

describe("the world of known probabilities", () => {
  it("trade in every domain at every hour", () => {
    for (const domain of domains) {
      const events = eventsOf(domain, today - 2 * day, today + 16 * day)
      for (let at = today; at < today + 7 * day; at += hour) {
        const isOpen = events.some(({ opensAt, closesAt }) => opensAt <= at && at < closesAt)
        assert.isTrue(isOpen, `${domain} at ${new Date(at).toISOString()}`)
      }
    }
  })

  it("have unique tickers, and close and settle in time", () => {
    const seen = new Set<string>()
    for (const domain of domains) {
      for (const event of eventsOf(domain, today - 10 * day, today)) {
        const { opensAt, scheduledClose, closesAt, settlesAt, contracts } = event
        assert.isTrue(opensAt < closesAt && closesAt <= scheduledClose && scheduledClose <= settlesAt, event.ticker)
        for (const { ticker } of contracts) {
          assert.isFalse(seen.has(ticker), ticker)
          seen.add(ticker)
        }
      }
    }
  })
})

describe("the true probabilities", () => {
  const events = domains.flatMap((domain) => eventsOf(domain, today - 100 * day, today))

  it("are calibrated at every moment: what is said comes true as often", () => {
    for (const share of [0, 0.5, 0.99]) {
      const board = Board.empty()
      for (const event of events) {
        const at = Math.floor(event.opensAt + share * (event.closesAt - event.opensAt))
        for (const contract of event.contracts) {
          const result = resultOf(event, contract)
          if (result === "void") continue
          Board.addScored(board, {
            ...{ domain: event.domain, venue: "mock", event: event.ticker, modelVersion: "truth", anchored: true },
            ...{ capturedAt: at, closeTime: event.closesAt, yesAsk: 0, noAsk: 0 },
            model: Math.round(truthAt(event, contract, at) * 1e6),
            // Somebody who is always a little off.
            market: Math.min(1e6, Math.round(truthAt(event, contract, at) * 1e6 + 60_000)),
            pool: 500_000,
            happened: result === "yes",
          })
        }
      }
      const { bins, count } = findPair(board, "all").model
      assert.isAbove(count, 15_000)
      for (const { count: n, yes, sum } of bins) {
        if (n < 200) continue
        const p = sum / (n * 1e6)
        // Contracts of one event depend on each other: four standard errors, doubled.
        assert.approximately(yes / n, p, 8 * Math.sqrt((p * (1 - p)) / n), `at ${share} of the life, p = ${p}`)
      }
      // The truth cannot be beaten, and the scoreboard can tell.
      const { model, market } = pairScores(findPair(board, "all"))
      assert.isBelow(model, market)
      assert.isBelow(boardIntervals(board).get("all")!.difference.high, 0)
    }
  })

  it("of strikes that share out all values add up to one", () => {
    for (const event of events.filter(({ domain }) => domain === "weather").slice(0, 100)) {
      const sum = event.contracts.reduce((total, contract) => total + truthAt(event, contract, event.opensAt), 0)
      assert.approximately(sum, 1, 1e-9)
      const paid = event.contracts.filter(({ above, upTo }) => valueOf(event) > above && valueOf(event) <= upTo)
      assert.strictEqual(paid.length, 1)
    }
  })

  it("are learned as time goes on", () => {
    for (const event of events.slice(0, 50)) {
      const sds = [0, 0.3, 0.6, 0.999].map(
        (share) => lawAt(event, event.opensAt + share * (event.closesAt - event.opensAt)).sd,
      )
      assert.deepStrictEqual(
        [...sds].sort((a, b) => b - a),
        sds,
      )
      assert.isTrue(sds[3]! < sds[0]!)
    }
  })
})

describe("the venue's book of known probabilities", () => {
  it("stands on whole cents with the bid below the ask", () => {
    for (const event of domains.flatMap((domain) => eventsOf(domain, today - 8 * day, today))) {
      for (const contract of event.contracts) {
        const { yesBid, yesAsk, noAsk } = bookAt(event, contract, event.closesAt - 1)
        assert.isTrue(yesBid % 100 === 0 && yesAsk % 100 === 0 && yesBid >= 0 && yesAsk <= 10_000 && yesBid < yesAsk)
        assert.strictEqual(noAsk, 10_000 - yesBid)
      }
    }
  })
})
