import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { show } from "../../../../core/call/Subject.ts"
import type { Contract, Priced } from "../../../../core/contracts/Contract.ts"
import type { SubjectIds } from "../../../../core/contracts/ContractPricing.ts"
import { parseFixture, parseSides, parseTickerDay } from "../../../../core/contracts/tickers.ts"
import * as decode from "../../../../core/endpoint/decode.ts"
import { catalogue, pricings } from "../../../../core/lanes/all.ts"
import { baseballMapping } from "../../../../core/lanes/baseball/contracts.ts"
import { cryptoMapping } from "../../../../core/lanes/crypto/contracts.ts"
import { footballMapping } from "../../../../core/lanes/football/contracts.ts"
import { aliases, teams } from "../../../../core/lanes/football/data/teams.ts"
import { weatherMapping } from "../../../../core/lanes/weather/contracts.ts"
import { contract, noon } from "../../../support/contracts.ts"

type Strikes = Pick<Contract, "strikeType" | "floorStrike" | "capStrike">

const strikes = (strikeType: string, floorStrike?: number, capStrike?: number): Strikes => ({
  strikeType,
  ...(floorStrike === undefined ? {} : { floorStrike }),
  ...(capStrike === undefined ? {} : { capStrike }),
})

/** A contract with these strikes alone. */
const struck = (changes: Partial<Contract>): Contract => {
  const { strikeType: _, floorStrike: __, ...rest } = contract()
  return { ...rest, ...changes }
}

describe("temperatures", () => {
  /** 88, 89, 90 and 91 with 0.1, 0.2, 0.3 and 0.4. */
  const ge = { "88": 1, "89": 0.9, "90": 0.7, "91": 0.4 }
  const output = { high: ge, low: { "60": 1, "61": 0.5 } }
  const cases: ReadonlyArray<readonly [what: string, strikes: Strikes, probability: number | undefined]> = [
    ["greater than 89 pays from 90 on", strikes("greater", 89), 0.7],
    ["greater than 89.5 too", strikes("greater", 89.5), 0.7],
    ["90 or greater too", strikes("greater_or_equal", 90), 0.7],
    ["less than 90 pays up to 89", strikes("less", undefined, 90), 0.3],
    ["89 or less too", strikes("less_or_equal", undefined, 89), 0.3],
    ["less than 89.5 too", strikes("less", undefined, 89.5), 0.3],
    ["89 to 90 includes both", strikes("between", 89, 90), 0.5],
    ["90 to 90 is 90", strikes("between", 90, 90), 0.3],
    ["above every degree that is told", strikes("greater", 91), 0],
    ["far above", strikes("greater", 200), 0],
    ["below every degree that is told", strikes("greater", 50), 1],
    ["less than the first", strikes("less", undefined, 88), 0],
    ["a floor where a cap belongs", strikes("less", 90), undefined],
    ["a cap where a floor belongs", strikes("greater", undefined, 90), undefined],
    ["half of a range", strikes("between", 90), undefined],
    ["a range upside down", strikes("between", 91, 90), undefined],
    ["a type nobody knows", strikes("functional", 90, 91), undefined],
    ["no type: the ticker's letter is not one", {}, undefined],
  ]
  for (const [what, terms, probability] of cases) {
    it(what, () => {
      const found = weatherMapping.probability(struck(terms), output)
      if (probability === undefined) assert.isUndefined(found)
      else assert.closeTo(found!, probability, 1e-12)
    })
  }

  it("makes the buckets of a day sum to 1", () => {
    const buckets = [strikes("less", undefined, 89), strikes("between", 89, 90), strikes("greater", 90)]
    const sum = buckets.reduce((total, terms) => total + weatherMapping.probability(struck(terms), output)!, 0)
    assert.closeTo(sum, 1, 1e-12)
  })

  it("distinguishes lows from highs by the series", () => {
    const low = struck({ series: "KXLOWTNYC", ...strikes("greater", 60) })
    assert.strictEqual(weatherMapping.probability(low, output), 0.5)
    assert.isUndefined(weatherMapping.probability(low, { ...output, low: {} }))
  })

  const asked: ReadonlyArray<readonly [what: string, changes: Partial<Contract>, subject: string | undefined]> = [
    ["a day to come", {}, "KNYC/2026-07-12"],
    ["a low", { series: "KXLOWTNYC", event: "KXLOWTNYC-26JUL12" }, "KNYC/2026-07-12"],
    [
      "the Pacific",
      { series: "KXHIGHLAX", event: "KXHIGHLAX-26JUL12", closeTime: Date.UTC(2026, 6, 13, 7, 59) },
      "KLAX/2026-07-12",
    ],
    ["a city without a station", { series: "KXHIGHTSEA", event: "KXHIGHTSEA-26JUL12" }, undefined],
    ["a ticker of another day than the close", { event: "KXHIGHNY-26JUL11" }, undefined],
    ["a ticker without a day", { event: "KXHIGHNY" }, undefined],
    ["a day that is over", { event: "KXHIGHNY-26JUL10", closeTime: Date.UTC(2026, 6, 11, 4, 59) }, undefined],
  ]
  for (const [what, changes, subject] of asked) {
    it(`${subject === undefined ? "is not asked for" : "is asked for"}: ${what}`, () => {
      const asked = weatherMapping.toSignalRequest(contract(changes), noon)
      assert.strictEqual(asked && show(asked.subject), subject)
    })
  }
})

describe("prices", () => {
  const output = { p_above: [60_000, 61_000].map((strike, at) => ({ strike, p_above: 0.8 - at * 0.5 })) }
  const cases: ReadonlyArray<readonly [strikes: Strikes, probability: number | undefined]> = [
    [strikes("greater", 60_000), 0.8],
    [strikes("less", undefined, 61_000), 0.7],
    [strikes("between", 60_000, 61_000), 0.5],
    [strikes("greater", 60_500), undefined],
    [strikes("custom", 60_000), undefined],
  ]
  for (const [terms, probability] of cases) {
    it(`${JSON.stringify(terms)}: ${probability}`, () => {
      const found = cryptoMapping.probability(struck(terms), output)
      if (probability === undefined) assert.isUndefined(found)
      else assert.closeTo(found!, probability, 1e-12)
    })
  }

  for (const [minutes, horizon] of [
    [60, 60],
    [5, 5],
    [4, undefined],
    [1440, 1440],
    [1442, undefined],
    [-10, undefined],
  ] as const) {
    it(`closing in ${minutes} minutes: horizon ${horizon}`, () => {
      const found = cryptoMapping.toSignalRequest(
        struck({ series: "KXBTCD", closeTime: noon + minutes * 60_000 }),
        noon,
      )
      assert.strictEqual(found?.params.horizon_minutes, horizon)
    })
  }
})

describe("the call for a priced contract", () => {
  const decoders = new Map(catalogue.entries.map(({ endpoint }) => [endpoint.path as string, decode.compile(endpoint)]))
  const close = noon + 97 * 60_000
  const cases: ReadonlyArray<
    readonly [lane: string, changes: Partial<Priced>, subject: SubjectIds | undefined, params?: unknown]
  > = [
    ["weather", {}, { station: "KNYC", day: "2026-07-12" }, { station: "KNYC", target: "2026-07-12" }],
    [
      "crypto",
      { instrument: "ETH", closeTime: close, floorStrike: 2_500.5, capStrike: 2_600 },
      { asset: "ETH", horizon_minutes: 97 },
      { asset: "ETH", horizon_minutes: 97, strikes: [2_500.5, 2_600] },
    ],
    ["crypto", { instrument: "ETH", closeTime: noon + 4 * 60_000 }, undefined],
    ["football", { subject: "2026_01_KC_BAL" }, { game_id: "2026_01_KC_BAL" }, { game_id: "2026_01_KC_BAL" }],
    ["football", { subject: "2026-09-10/KC/BAL" }, undefined],
    ["baseball", { subject: "777001" }, { game_pk: 777_001 }, { game_pk: 777_001 }],
    ["baseball", { subject: "2026-09-10/NYY/BOS/2" }, undefined],
  ]
  for (const [lane, changes, subject, params] of cases) {
    it(`${lane} ${JSON.stringify(changes)}: ${JSON.stringify(params)}`, () => {
      const pricing = pricings.find((each) => each.lane === lane)!
      // Any second of the minute that the models count from.
      for (const now of [noon, noon + 59_999]) {
        const call = pricing.toSignalCall(contract({ lane, ...changes }), now)
        assert.deepStrictEqual(call?.subject, subject)
        if (call === undefined) continue
        const { pathname, searchParams } = new URL(call.contractPath, "http://localhost")
        const decoded = decoders.get(pathname)!({ _tag: "Text", entries: [...searchParams] }, now)
        assert.deepStrictEqual(Either.getOrThrow(decoded).params, params)
        assert.isTrue(call.contractPath.startsWith(call.path))
      }
    })
  }

  it("asks for the horizon that prices the contract, whatever the second", () => {
    for (const seconds of [0, 29, 31, 59]) {
      const now = noon + seconds * 1_000
      const asked = cryptoMapping.toSignalRequest(struck({ series: "KXBTCD", closeTime: close }), now)
      const call = cryptoMapping.toCallParts(contract({ lane: "crypto", instrument: "BTC", closeTime: close }), now)
      assert.strictEqual(asked?.params.horizon_minutes, 97)
      assert.strictEqual(call?.subject["horizon_minutes"], 97)
    }
  })
})

describe("games", () => {
  const isTeam = (code: string) => ["KC", "LAC", "LA", "NYY", "BOS"].includes(code)
  const cases: ReadonlyArray<readonly [event: string, team: string, found: string | undefined]> = [
    ["KXNFLGAME-25SEP04KCLAC", "KC", "2025-09-04 KC@LAC away"],
    ["KXNFLGAME-25SEP04KCLAC", "LAC", "2025-09-04 KC@LAC home"],
    ["KXNFLGAME-25SEP04LALAC", "LA", "2025-09-04 LA@LAC away"],
    ["KXNFLGAME-25SEP04LACLA", "LA", "2025-09-04 LAC@LA home"],
    ["KXMLBGAME-26SEP091905NYYBOS", "NYY", "2026-09-09 NYY@BOS away"],
    ["KXMLBGAME-26SEP091410NYYBOSG1", "NYY", "2026-09-09 NYY@BOS away 1"],
    ["KXMLBGAME-26SEP091910NYYBOSG2", "BOS", "2026-09-09 NYY@BOS home 2"],
    ["KXMLBGAME-26SEP091910NYYBOSG3", "BOS", undefined],
    ["KXMLBGAME-26SEP09190NYYBOS", "BOS", undefined],
    ["KXMLBGAME-26SEP09G1", "BOS", undefined],
    ["KXNFLGAME-25SEP04KCLAC", "NYY", undefined],
    ["KXNFLGAME-25SEP04KCLAC", "TIE", undefined],
    ["KXNFLGAME-25SEP04KCXXX", "KC", undefined],
    ["KXNFLGAME-25SEP31KCLAC", "KC", undefined],
    ["KXNFLGAME-25SEPKCLAC", "KC", undefined],
  ]
  for (const [event, team, found] of cases) {
    it(`${event}-${team}: ${found}`, () => {
      const sides = parseSides(event, team, isTeam)
      const told = sides && [sides.day, `${sides.away}@${sides.home}`, sides.side, ...(sides.game ? [sides.game] : [])]
      assert.strictEqual(told?.join(" "), found)
    })
  }

  it("are priced by the side that the contract is on", () => {
    const nfl = (team: string) =>
      struck({ series: "KXNFLGAME", event: "KXNFLGAME-25SEP04KCLAC", ticker: `KXNFLGAME-25SEP04KCLAC-${team}` })
    assert.deepStrictEqual(footballMapping.toSignalRequest(nfl("KC"), noon)?.params, {
      home: "LAC",
      away: "KC",
      day: "2025-09-04",
    })
    assert.strictEqual(footballMapping.probability(nfl("LAC"), { win_prob_home: 0.25 }), 0.25)
    assert.strictEqual(footballMapping.probability(nfl("KC"), { win_prob_home: 0.25 }), 0.75)
    const mlb = struck({
      series: "KXMLBGAME",
      event: "KXMLBGAME-26SEP09NYYBOS",
      ticker: "KXMLBGAME-26SEP09NYYBOS-BOS",
    })
    assert.deepStrictEqual(baseballMapping.toSignalRequest(mlb, noon)?.params, {
      home: 111,
      away: 147,
      day: "2026-09-09",
    })
    assert.isUndefined(baseballMapping.toSignalRequest({ ...mlb, series: "KXNFLGAME" }, noon))
  })

  const scores = {
    win_prob_home: 0.6,
    // Home by −1, 0, 1, 2; of points 40, 41, 42.
    margin_distribution: { from: -1, pmf: [0.35, 0.1, 0.3, 0.25] },
    total_distribution: { from: 40, pmf: [0.2, 0.3, 0.5] },
  }
  const scored: ReadonlyArray<readonly [ticker: string, terms: Strikes, probability: number | undefined]> = [
    ["KXNFLSPREAD-25SEP04KCLAC-LAC2", strikes("greater", 1.5), 0.25],
    ["KXNFLSPREAD-25SEP04KCLAC-LAC1", strikes("greater", 0.5), 0.55],
    ["KXNFLSPREAD-25SEP04KCLAC-KC1", strikes("greater", 0.5), 0.35],
    ["KXNFLSPREAD-25SEP04KCLAC-KC2", strikes("greater", 1.5), 0],
    // On a whole number it is the type that says whether the number itself pays.
    ["KXNFLSPREAD-25SEP04KCLAC-LAC1", strikes("greater", 1), 0.25],
    ["KXNFLSPREAD-25SEP04KCLAC-LAC1", strikes("greater_or_equal", 1), 0.55],
    ["KXNFLSPREAD-25SEP04KCLAC-KC1", strikes("greater_or_equal", 1), 0.35],
    ["KXNFLTOTAL-25SEP04KCLAC-41", strikes("greater", 40.5), 0.8],
    ["KXNFLTOTAL-25SEP04KCLAC-41", strikes("greater", 41), 0.5],
    ["KXNFLTOTAL-25SEP04KCLAC-41", strikes("less", undefined, 41), 0.2],
    ["KXNFLTOTAL-25SEP04KCLAC-41", strikes("between", 41, 42), 0.8],
    ["KXNFLTOTAL-25SEP04KCLAC-60", strikes("greater", 59.5), 0],
    // What is not understood is left out.
    ["KXNFLSPREAD-25SEP04KCLAC-LAC4", strikes("structured", 3.5), undefined],
    ["KXNFLSPREAD-25SEP04KCLAC-LAC4", strikes("greater"), undefined],
    ["KXNFLSPREAD-25SEP04KCLAC-LAC", strikes("greater", 3.5), undefined],
    ["KXNFLSPREAD-25SEP04KCLAC-4", strikes("greater", 3.5), undefined],
    ["KXNFLSPREAD-25SEP04KCLAC-BUF4", strikes("greater", 3.5), undefined],
    ["KXNFLTOTAL-25SEP04KCLAC-KC41", strikes("greater", 40.5), undefined],
    ["KXNFLTOTAL-25SEP04KCLAC-TIE", strikes("greater", 40.5), undefined],
    ["KXNFL1HTOTAL-25SEP04KCLAC-41", strikes("greater", 40.5), undefined],
    ["KXMLBTOTAL-25SEP04KCLAC-41", strikes("greater", 40.5), undefined],
  ]
  for (const [ticker, terms, probability] of scored) {
    it(`${ticker}, ${JSON.stringify(terms)}: ${probability}`, () => {
      const [series, game] = ticker.split("-") as [string, string]
      const of = struck({ ...terms, domain: "nfl", series, event: `${series}-${game}`, ticker })
      const found = footballMapping.probability(of, scores)
      if (probability === undefined) assert.isUndefined(found)
      else assert.closeTo(found!, probability, 1e-12)
      // An output without distributions, and a model that has none, say nothing.
      assert.isUndefined(footballMapping.probability(of, { win_prob_home: 0.6 }))
      assert.isUndefined(baseballMapping.probability(of, { win_prob_home: 0.6 }))
    })
  }

  it("are one subject, whatever their contracts are on", () => {
    const endings = { KXNFLGAME: "KC", KXNFLSPREAD: "LAC4", KXNFLTOTAL: "45" }
    for (const [series, ending] of Object.entries(endings)) {
      const event = `${series}-25SEP04KCLAC`
      const asked = footballMapping.toSignalRequest(struck({ series, event, ticker: `${event}-${ending}` }), noon)
      assert.deepStrictEqual(asked, {
        subject: { _tag: "Matchup", day: "2025-09-04", away: "KC", home: "LAC" },
        instrument: "KC @ LAC",
        params: { home: "LAC", away: "KC", day: "2025-09-04" },
      })
    }
  })

  const codes: Readonly<Record<string, ReadonlyArray<string>>> = {
    football: [...teams, ...Object.keys(aliases)],
    baseball: [
      ...["LAA", "ARI", "AZ", "BAL", "BOS", "CHC", "CIN", "CLE", "COL", "DET", "HOU", "KC", "LAD", "WSH", "WAS", "NYM"],
      ...["ATH", "OAK", "PIT", "SD", "SEA", "SF", "STL", "TB", "TEX", "TOR", "MIN", "PHI", "ATL", "CWS", "CHW", "MIA"],
      ...["NYY", "MIL"],
    ],
  }
  for (const [league, all] of Object.entries(codes)) {
    it(`of ${league} are read in one way, any two teams of it`, () => {
      const known = new Set(all)
      for (const away of all) {
        for (const home of all) {
          const fixture = parseFixture(`KXNFLTOTAL-25SEP04${away}${home}`, (code) => known.has(code))
          assert.deepStrictEqual(fixture, { day: "2025-09-04", away, home }, `${away} at ${home}`)
        }
      }
    })
  }

  it("that can be read in two ways are not known", () => {
    const isOne = (code: string) => ["AB", "ABC", "CD", "D"].includes(code)
    assert.isUndefined(parseFixture("KXNFLTOTAL-25SEP04ABCD", isOne))
    assert.strictEqual(parseFixture("KXNFLTOTAL-25SEP04CDAB", isOne)?.home, "AB")
  })

  it("are dated by whole tickers", () => {
    assert.deepStrictEqual(parseTickerDay("KXHIGHNY-26FEB28"), { day: "2026-02-28", rest: "" })
    for (const bad of ["KXHIGHNY-26FEB29", "KXHIGHNY-26FOO01", "KXHIGHNY", ""]) assert.isUndefined(parseTickerDay(bad))
  })
})
