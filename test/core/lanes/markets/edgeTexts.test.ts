import { assert, describe, it } from "@effect/vitest"
import type { Priced } from "../../../../core/contracts/Contract.ts"
import { openBooks, orderBooks } from "../../../../core/lanes/markets/books.ts"
import {
  type BoardRecord,
  callLinks,
  explainBoard,
  listAlternatives,
  makeCounterfactual,
  scoreConfidence,
  toBoardRecord,
} from "../../../../core/lanes/markets/edgeTexts.ts"
import { endpoints } from "../../../../core/lanes/markets/endpoints.ts"
import { book, contract, noon } from "../../../support/contracts.ts"

const record = (changes: Partial<BoardRecord> = {}): BoardRecord => ({
  isComputed: true,
  domains: [],
  scored: 0,
  model: Number.NaN,
  market: Number.NaN,
  ...changes,
})
const compared = (domain: "weather" | "crypto" | "nfl", count: number, disagreed = 0) => ({
  domain,
  compared: count,
  disagreed,
})
const opened = (...contracts: ReadonlyArray<Priced>) => openBooks(orderBooks(contracts), noon)
const fresh = ["all quotes fresh", 1] as const

describe("the confidence in the edge board", () => {
  it("counts nothing for a scoreboard that is not computed, or has no contract of these domains", () => {
    assert.deepStrictEqual(scoreConfidence(fresh, record({ isComputed: false })), {
      score: 0.8,
      label: "reasoned",
      factors: [
        "base 0.80 of a score judged by hand: not a probability, not calibrated",
        "all quotes fresh: ×1.00",
        "scoreboard not computed yet",
      ],
    })
    assert.deepStrictEqual(scoreConfidence(["half", 0.5], record()), {
      score: 0.4,
      label: "reasoned",
      factors: [
        "base 0.80 of a score judged by hand: not a probability, not calibrated",
        "half: ×0.50",
        "no settled contract in these domains yet",
      ],
    })
  })

  it("is less where the market is ahead, and full where the model is", () => {
    const behind = scoreConfidence(fresh, record({ scored: 1, model: 0.2, market: 0.15 }))
    assert.strictEqual(behind.score, 0.6)
    assert.strictEqual(behind.factors[2], "scoreboard Brier 0.2000, market 0.1500 (1 settled contract): ×0.75")
    const ahead = scoreConfidence(fresh, record({ scored: 2, model: 0.15, market: 0.2 }))
    assert.strictEqual(ahead.score, 0.8)
    assert.strictEqual(ahead.factors[2], "scoreboard Brier 0.1500, market 0.2000 (2 settled contracts): ×1.00")
  })
})

describe("the record without a scoreboard", () => {
  it("has zeros for each domain and no score", () => {
    assert.deepStrictEqual(toBoardRecord(undefined, ["weather"]), {
      isComputed: false,
      domains: [compared("weather", 0)],
      scored: 0,
      model: Number.NaN,
      market: Number.NaN,
    })
  })
})

describe("the steps of an answer", () => {
  const one = contract({ ticker: "A", model: 400_000 })
  const other = contract({ ticker: "B", venue: "another", bidAsk: book(40, 41) })

  it("say what was read and listed, with the largest difference in full", () => {
    const { reasoning } = explainBoard(opened(one, other), [{ contract: one, edge: 80_000 }], record())
    assert.deepStrictEqual(reasoning, [
      "Read bid and ask of 2 open contracts that a model prices.",
      "Market probability: midpoint of yes bid and yes ask; one-sided books are skipped.",
      "1 differ by 0.05 or more, listed largest first.",
      "Edge after fee: the model's probability of the suggested side, less ask and fee of one contract.",
      "Largest: A, model 0.4, market 0.32.",
    ])
  })

  it("say where the two sources of a settlement differed and where nothing can be compared", () => {
    const texts = (some: BoardRecord) => explainBoard([], [], some).reasoning.slice(5)
    assert.deepStrictEqual(texts(record({ isComputed: false, domains: [compared("weather", 0)] })), [
      "The scoreboard is not computed yet, so the two settlement sources are not compared.",
    ])
    assert.deepStrictEqual(
      texts(record({ domains: [compared("weather", 9, 2), compared("nfl", 0), compared("crypto", 1)] })),
      [
        "Settled contracts on which venue and model source differed: weather 2 of 9, crypto 0 of 1.",
        "No settled contract has results from both sources yet: nfl.",
      ],
    )
  })

  it("cite one contract of each venue, the listed ones first, by the venue's name, and the scoreboard at the last step", () => {
    const more = contract({ ticker: "C", venue: "another" })
    const domains = [compared("weather", 1)]
    assert.deepStrictEqual(
      explainBoard(opened(other, one), [{ contract: more, edge: 60_000 }], record({ domains })).citations,
      [
        { step: 1, source: "another", locator: "C" },
        { step: 1, source: "kalshi", locator: "A" },
        { step: 7, source: "scoreboard", locator: endpoints.performance.path },
      ],
    )
    assert.deepStrictEqual(explainBoard([], [], record()).citations, [])
    assert.deepStrictEqual(explainBoard([], [], record({ isComputed: false, domains })).citations, [])
  })
})

describe("the links of the rows", () => {
  it("have each call of a subject once, in order, and the lane's own at the end", () => {
    const call = (id: string, path: string) => ({ id, subject: {}, path, contractPath: path })
    const markets = { id: "markets", endpoints: [endpoints.performance.path, endpoints.settled.path] }
    assert.deepStrictEqual(callLinks([call("b", "/1"), undefined, call("a", "/2"), call("b", "/1"), call("b", "/3")]), [
      { id: "b", endpoints: ["/1", "/3"] },
      { id: "a", endpoints: ["/2"] },
      markets,
    ])
    assert.deepStrictEqual(callLinks([]), [markets])
  })
})

describe("contracts below the threshold", () => {
  it("have the size of their difference and its sign in words", () => {
    const below = Array.from({ length: 5 }, (_, at) => ({
      contract: contract({ ticker: `T${at}` }),
      edge: -49_000 + at,
    }))
    const listed = listAlternatives(below)
    assert.deepStrictEqual(
      listed.map(({ id }) => id),
      ["T0", "T1", "T2", "T3", "T4"],
    )
    assert.deepStrictEqual(listed[0], {
      id: "T0",
      label: "High in New York above 89",
      score: 0.049,
      why: "Model − market is -0.049; the board begins at 0.05.",
    })
  })
})

describe("the board at twice the threshold", () => {
  it("keeps rows from there on, to both sides", () => {
    const edges = [
      [0.1, true],
      [-0.1, false],
      [0.099999, true],
      [-0.2, true],
    ].map(([edge, actionable]) => ({ edge, actionable }))
    const board = { count: 4, actionable_count: 3, min_edge_threshold: 0.05, edges }
    assert.deepStrictEqual(makeCounterfactual(board as unknown as Parameters<typeof makeCounterfactual>[0]), {
      input: "min_edge",
      from: 0.05,
      to: 0.1,
      result: { count: 3, actionable_count: 2 },
      delta: { count: -1, actionable_count: -1 },
    })
  })
})
