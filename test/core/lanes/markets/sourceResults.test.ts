import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Priced } from "../../../../core/contracts/Contract.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { pricings } from "../../../../core/lanes/all.ts"
import { type ListedGame, Slates } from "../../../../core/lanes/baseball/ports.ts"
import { signalMinutes } from "../../../../core/lanes/crypto/facts.ts"
import { Tape } from "../../../../core/lanes/crypto/ports.ts"
import type { GameRecord } from "../../../../core/lanes/football/ports.ts"
import { Games } from "../../../../core/lanes/football/ports.ts"
import * as overLanes from "../../../../core/lanes/markets/overLanes.ts"
import { SourceResults } from "../../../../core/lanes/markets/ports.ts"
import { ClimateReports, type Issuance, newestFirst } from "../../../../core/lanes/weather/ports.ts"
import { VenueSettlement } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { listed } from "../../../support/baseball.ts"
import { contract } from "../../../support/contracts.ts"

const minute = 60_000

const report = (status: "final" | "preliminary", issuedAt: number, highF?: number, lowF?: number): Issuance => ({
  station: "KNYC",
  productId: String(issuedAt),
  issuedAt,
  source: "test",
  report: {
    station: "CENTRAL PARK NY",
    day: "2026-07-12",
    status,
    flags: [],
    correction: false,
    ...ifDefined("highF", highF),
    ...ifDefined("lowF", lowF),
  },
})

/** What each source has, or how it fails. */
interface World {
  /** The venue's own source's high. */
  readonly stated?: number
  readonly reports?: ReadonlyArray<Issuance> | Failure
  /** Closes that end with the minute 2026-07-12T17:00Z; or none at all. */
  readonly closes?: ReadonlyArray<number> | undefined
  readonly score?: { readonly home: number; readonly away: number } | undefined
  readonly games?: ReadonlyArray<ListedGame> | Failure
}

const five = Date.UTC(2026, 6, 12, 17)
const down = fail("upstream_unavailable", { detail: "It is down." })
const given = <A>(value: A | Failure): Effect.Effect<A, Failure> =>
  (value as { readonly _tag?: string })._tag === "Failure" ? Effect.fail(value as Failure) : Effect.succeed(value as A)

const over = (world: World, asked: Array<string> = []) => {
  const ask = (what: string) => Effect.sync(() => void asked.push(what))
  return overLanes.layerSourceResults(pricings).pipe(
    Layer.provide([
      Layer.succeed(ClimateReports, {
        freshness: "live",
        versions: (station, day) =>
          Effect.zipRight(
            ask(`${station} ${day}`),
            Effect.map(given(world.reports ?? []), (found) => [...found].sort(newestFirst)),
          ),
        latestFinalDay: () => Effect.die("not asked"),
        range: () => Effect.die("not asked"),
        coverage: () => Effect.die("not asked"),
      }),
      Layer.succeed(VenueSettlement, {
        freshness: "live",
        firstOfficial: (station, day) =>
          Effect.succeed(
            world.stated === undefined
              ? undefined
              : { station, day, status: "official", issuedAt: 0, highF: world.stated },
          ),
        pairs: () => Effect.succeed([]),
        agreement: () => Effect.die("not asked"),
      }),
      Layer.succeed(Tape, {
        freshness: "live",
        window: (asset, minutes) =>
          Effect.as(
            ask(`${asset} ${minutes}`),
            world.closes && {
              closes: Float64Array.from(world.closes),
              lastMinute: five / minute,
              source: "test",
              flags: [],
            },
          ),
      }),
      Layer.succeed(Games, {
        freshness: "live",
        season: (season) =>
          Effect.as(ask(String(season)), {
            season,
            records: [{ game: { id: "2025_01_KC_LAC", score: world.score } } as unknown as GameRecord],
            weeks: new Map(),
          }),
        league: Effect.die("not asked"),
      }),
      Layer.succeed(Slates, {
        freshness: "live",
        around: () => Effect.die("not asked"),
        lineUps: () => Effect.die("not asked"),
        of: (gamePk) =>
          Effect.zipRight(
            ask(String(gamePk)),
            Effect.map(given(world.games ?? []), (games) => ({
              games,
              unreadable: 0,
              source: "test",
              locator: "test",
              fetchedAt: 0,
              stale: false,
            })),
          ),
      }),
    ]),
  )
}

const observe = (world: World, contracts: ReadonlyArray<Priced>, asked?: Array<string>) =>
  Effect.flatMap(SourceResults, ({ read }) => read(contracts)).pipe(Effect.provide(over(world, asked)))

/** A contract without the strikes of the usual one. */
const bare = (changes: Partial<Priced>): Priced => {
  const { strikeType: _, floorStrike: __, ...rest } = contract()
  return { ...rest, ...changes }
}

const above89 = contract({ ticker: "T" })
const low = contract({ ticker: "T", series: "KXLOWTNYC", event: "KXLOWTNYC-26JUL12", floorStrike: 70 })
const price = (at: number): Priced =>
  contract({
    ticker: "T",
    domain: "crypto",
    series: "KXBTCD",
    settlesOn: "CF Benchmarks",
    event: "KXBTCD-26JUL1213",
    subject: `BTC/${new Date(at).toISOString()}`,
    floorStrike: 60_000,
  })
const nfl = (team: string): Priced =>
  bare({
    ticker: `KXNFLGAME-25SEP04KCLAC-${team}`,
    domain: "nfl",
    series: "KXNFLGAME",
    event: "KXNFLGAME-25SEP04KCLAC",
    subject: "2025_01_KC_LAC",
  })
const onScore = (series: string, ending: string, strike: number, strikeType = "greater"): Priced => ({
  ...nfl("KC"),
  ...{ series, event: `${series}-25SEP04KCLAC`, ticker: `${series}-25SEP04KCLAC-${ending}` },
  ...{ strikeType, floorStrike: strike },
})
const spread = (ending: string, strike: number) => onScore("KXNFLSPREAD", ending, strike)
const total = (strike: number) => onScore("KXNFLTOTAL", String(Math.ceil(strike)), strike)
const mlb = (team: string): Priced =>
  bare({
    ticker: `KXMLBGAME-26JUL09NYYBOS-${team}`,
    domain: "mlb",
    series: "KXMLBGAME",
    event: "KXMLBGAME-26JUL09NYYBOS",
    subject: "500001",
  })

describe("what the models' own sources say", () => {
  const cases: ReadonlyArray<readonly [what: string, world: World, of: Priced, result: "yes" | "no" | undefined]> = [
    ["a final report above the strike", { reports: [report("final", 1, 90)] }, above89, "yes"],
    ["a final report at a strict strike", { reports: [report("final", 1, 89)] }, above89, "no"],
    ["a final report of a low", { reports: [report("final", 1, 60, 71)] }, low, "yes"],
    ["the first of two final reports", { reports: [report("final", 1, 89), report("final", 2, 90)] }, above89, "no"],
    [
      "a final report before a later preliminary one",
      { reports: [report("final", 1, 89), report("preliminary", 2, 95)] },
      above89,
      "no",
    ],
    ["a preliminary report", { reports: [report("preliminary", 1, 95)] }, above89, undefined],
    ["a value of the venue's own source", { reports: [report("final", 1, 89)], stated: 90 }, above89, "yes"],
    ["a value of the venue's own source before any report", { stated: 89 }, above89, "no"],
    [
      "the report that the rules name, whatever another source says",
      { reports: [report("final", 1, 89)], stated: 90 },
      { ...above89, settlesOn: "National Weather Service's Climatological Report (Daily)" },
      "no",
    ],
    ["a low that the venue's source does not state", { reports: [report("final", 1, 90, 71)], stated: 90 }, low, "yes"],
    [
      "a source that nobody knows by name",
      { reports: [report("final", 1, 90)], stated: 90 },
      { ...above89, settlesOn: "Synoptic Data" },
      undefined,
    ],
    ["a report without the value", { reports: [report("final", 1, undefined, 60)] }, above89, undefined],
    ["no report", {}, above89, undefined],
    ["terms that are not understood", { reports: [report("final", 1, 90)] }, bare({ ticker: "T" }), undefined],
    // The last candle begins at five and ends a minute later; the one before it ends at five.
    ["the close of the minute that ends then", { closes: [1, 60_000.01, 1] }, price(five), "yes"],
    ["a close at a strict strike", { closes: [70_000, 60_000, 70_000] }, price(five), "no"],
    ["a candle that is missing", { closes: [70_000, Number.NaN, 70_000] }, price(five), undefined],
    ["a minute that is still to come", { closes: [70_000, 70_000] }, price(five + 2 * minute), undefined],
    ["a minute before the tape begins", { closes: [70_000, 70_000] }, price(five - 5 * minute), undefined],
    ["no tape", { closes: undefined }, price(five), undefined],
    ["a home team that won", { score: { home: 27, away: 21 } }, nfl("LAC"), "yes"],
    ["visitors who lost", { score: { home: 27, away: 21 } }, nfl("KC"), "no"],
    ["visitors who won", { score: { home: 20, away: 21 } }, nfl("KC"), "yes"],
    ["a tie", { score: { home: 20, away: 20 } }, nfl("KC"), undefined],
    ["a game that is not over", { score: undefined }, nfl("KC"), undefined],
    ["a game that nobody knows", { score: { home: 1, away: 0 } }, { ...nfl("KC"), subject: "2025_02_X_Y" }, undefined],
    ["a favourite who covered", { score: { home: 27, away: 21 } }, spread("LAC6", 5.5), "yes"],
    ["a favourite who won by less", { score: { home: 27, away: 21 } }, spread("LAC7", 6.5), "no"],
    ["a winner at a strict whole strike", { score: { home: 27, away: 21 } }, spread("LAC6", 6), "no"],
    ["visitors who covered", { score: { home: 20, away: 24 } }, spread("KC4", 3.5), "yes"],
    ["visitors who lost by as much", { score: { home: 24, away: 20 } }, spread("KC4", 3.5), "no"],
    ["a tie is covered by nobody", { score: { home: 20, away: 20 } }, spread("KC1", 0.5), "no"],
    ["points of both above the strike, overtime and all", { score: { home: 27, away: 21 } }, total(47.5), "yes"],
    ["points of both at a strict whole strike", { score: { home: 27, away: 21 } }, total(48), "no"],
    ["points of both below", { score: { home: 27, away: 20 } }, total(47.5), "no"],
    ["the points of a tie", { score: { home: 24, away: 24 } }, total(47.5), "yes"],
    ["points of a game that was called off", { score: undefined }, total(47.5), undefined],
    [
      "a strike of a kind that is not understood",
      { score: { home: 27, away: 21 } },
      onScore("KXNFLTOTAL", "48", 47.5, "custom"),
      undefined,
    ],
    ["a nine-inning win", { games: [{ ...listed, phase: "over", score: { home: 3, away: 4 } }] }, mlb("NYY"), "yes"],
    [
      "a game that was put off, under its second date",
      {
        games: [
          { ...listed, phase: "off" },
          { ...listed, phase: "over", score: { home: 3, away: 4 } },
        ],
      },
      mlb("BOS"),
      "no",
    ],
    ["a game under way", { games: [{ ...listed, phase: "live" }] }, mlb("BOS"), undefined],
    ["a tie that was called off", { games: [{ ...listed, score: { home: 4, away: 4 } }] }, mlb("BOS"), undefined],
    ["a game that the league does not know", { games: [] }, mlb("BOS"), undefined],
  ]
  for (const [what, world, of, result] of cases) {
    it.effect(`${what}: ${result ?? "not known"}`, () =>
      Effect.gen(function* () {
        const { results, warnings } = yield* observe(world, [of])
        assert.deepStrictEqual(warnings, [])
        assert.strictEqual(results.get(of.ticker), result)
      }),
    )
  }

  it.effect("is read once for all contracts on a subject, and costs nothing when one source is down", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const world = { reports: down, closes: [1, 70_000, 1], score: { home: 1, away: 0 }, games: down }
      const contracts = [
        above89,
        { ...above89, ticker: "U" },
        { ...above89, ticker: "V", subject: "KNYC/2026-07-11" },
        price(five),
        nfl("KC"),
        nfl("LAC"),
        mlb("BOS"),
      ]
      const { results, warnings } = yield* observe(world, contracts, asked)
      assert.deepStrictEqual(
        results,
        new Map([
          ["T", "yes"],
          [nfl("KC").ticker, "no"],
          [nfl("LAC").ticker, "yes"],
        ]),
      )
      assert.deepStrictEqual(
        warnings,
        ["KNYC/2026-07-12", "KNYC/2026-07-11", "500001"].map((subject) => `${subject}: ${down.message}`),
      )
      assert.deepStrictEqual(asked, ["KNYC 2026-07-12", "KNYC 2026-07-11", "2025", "500001", `BTC ${signalMinutes}`])
    }),
  )
})
