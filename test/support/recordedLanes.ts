import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as mockBaseball from "../../adapters/lanes/baseball/mock/baseball.ts"
import * as mockCrypto from "../../adapters/lanes/crypto/mock/tape.ts"
import * as mockFootball from "../../adapters/lanes/football/mock/football.ts"
import * as contracts from "../../adapters/lanes/markets/store/Contracts.ts"
import * as mockWeather from "../../adapters/lanes/weather/mock/reports.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as captures from "../../adapters/store/record/Captures.ts"
import { layerScoreboard } from "../../adapters/store/record/Settled.ts"
import type { Contract } from "../../core/contracts/Contract.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { pricings } from "../../core/lanes/all.ts"
import { Baseball } from "../../core/lanes/baseball/Baseball.ts"
import { type Listings, PitchingLines, SeasonLines, Slates } from "../../core/lanes/baseball/ports.ts"
import { Crypto } from "../../core/lanes/crypto/Crypto.ts"
import { Football } from "../../core/lanes/football/Football.ts"
import * as overLanes from "../../core/lanes/markets/overLanes.ts"
import { Venues } from "../../core/lanes/markets/ports.ts"
import * as recorder from "../../core/lanes/markets/recorder.ts"
import { Weather } from "../../core/lanes/weather/Weather.ts"
import { TrackRecord } from "../../core/record/captures/Outcomes.ts"
import { domains } from "../../core/record/scoreboard/Settled.ts"
import { contract } from "./contracts.ts"
import { inStore } from "./record.ts"

/** A Friday in September: every lane has something to say. */
export const now = Date.UTC(2026, 8, 11, 15)

const codes =
  "LAA ARI BAL BOS CHC CIN CLE COL DET HOU KC LAD WSH NYM ATH PIT SD SEA SF STL TB TEX TOR MIN PHI ATL CWS MIA NYY MIL"
const clubs = codes.split(" ").map((code, at) => ({ code, id: at < 14 ? 108 + at : at < 29 ? 119 + at : 158 }))

/** The id of the real club in the place of an invented one. */
export const clubId = (id: number) => clubs[id - 901]!.id

const renamed = ({ games, ...rest }: Listings): Listings => ({
  ...rest,
  games: games.map((game) => ({
    ...game,
    home: { ...game.home, teamId: clubId(game.home.teamId) },
    away: { ...game.away, teamId: clubId(game.away.teamId) },
  })),
})

/** The invented league under the ids of the real one, whose codes a venue writes. */
const baseball = Layer.mergeAll(
  Layer.effect(PitchingLines, PitchingLines),
  Layer.effect(
    Slates,
    Effect.map(Slates, (slates) => ({
      ...slates,
      around: (day) => Effect.map(slates.around(day), renamed),
      of: (gamePk) => Effect.map(slates.of(gamePk), renamed),
    })),
  ),
  Layer.effect(
    SeasonLines,
    Effect.map(SeasonLines, (lines) => ({
      ...lines,
      teams: (season, before) =>
        Effect.map(lines.teams(season, before), (found) => ({
          ...found,
          lines: new Map(Array.from(found.lines, ([id, line]) => [clubId(id), line])),
        })),
    })),
  ),
).pipe(Layer.provide(mockBaseball.layer))

/** Every lane that is recorded, over generated worlds in the place of live ones. */
const lanes = Layer.mergeAll(
  Weather.layer.pipe(Layer.provide([mockWeather.layer, Feeds.layerNone])),
  Crypto.layer.pipe(Layer.provide([Feeds.layerNone, mockCrypto.layer])),
  Football.layer.pipe(Layer.provide([mockFootball.layer, Feeds.layerNone, TrackRecord.layerNone])),
  Baseball.layer.pipe(Layer.provide(baseball)),
)

/** What lists contracts. */
export const venue = (listed: ReadonlyArray<Contract>): Layer.Layer<Venues> =>
  Layer.succeed(Venues, [
    {
      name: "kalshi",
      domains,
      open: (domain) => Effect.succeed({ items: listed.filter((one) => one.domain === domain), failed: [] }),
      outcomes: () => Effect.succeed({ items: [], failed: [] }),
    },
  ])

/** The lanes, the models that jobs ask, what records, and a store in memory. */
export const recorded = Layer.merge(overLanes.layerModels(pricings), recorder.layer(pricings)).pipe(
  Layer.provideMerge(Layer.mergeAll(lanes, contracts.layerStore, layerScoreboard, captures.layer, Feeds.layerNone)),
  Layer.provideMerge(Layer.merge(inStore(), secrets.layer)),
)

const stamp = (day: string) => `${day.slice(2, 4)}SEP${day.slice(8, 10)}`

const codeOf = (wanted: number) => clubs.find(({ id }) => id === wanted)!.code

/** Contracts of each lane, as a venue lists it: on tomorrow's high, a price in an hour, and two games to come; of
 * one its margin and total, too. */
export const listing = Effect.gen(function* () {
  const { strikeType: _, floorStrike: __, ...plain } = contract({ quotedAt: now, closeTime: now + 86_400_000 })
  const [crypto, football, baseball] = yield* Effect.all([Crypto, Football, Baseball])
  const { p_above } = (yield* crypto.signal({ asset: "BTC", horizon_minutes: 60 })).results
  const { game } = (yield* football.fairLine({ team: "KC" })).results
  const { games } = (yield* baseball.games({ date: "2026-09-11" })).results
  const played = games.find(({ state }) => /^(scheduled|pre-game)/i.test(state))!
  const [home, away] = [codeOf(played.home.team_id), codeOf(played.away.team_id)]
  const matchup = `${stamp(game.gameday)}${game.away_team}${game.home_team}`
  const nfl = `KXNFLGAME-${matchup}`
  const mlb = `KXMLBGAME-${stamp(played.official_date ?? "2026-09-11")}${away}${home}`
  const contracts: ReadonlyArray<Contract> = [
    {
      ...plain,
      ...{ event: "KXHIGHNY-26SEP12", ticker: "KXHIGHNY-26SEP12-T80", strikeType: "greater", floorStrike: 80 },
      closeTime: Date.UTC(2026, 8, 13, 4, 59),
    },
    {
      ...plain,
      ...{
        domain: "crypto",
        settlesOn: "CF Benchmarks",
        series: "KXBTCD",
        event: "KXBTCD-26SEP1112",
        ticker: "KXBTCD-26SEP1112-T1",
      },
      ...{ strikeType: "greater", floorStrike: p_above[10]!.strike, closeTime: now + 3_600_000 },
    },
    { ...plain, domain: "nfl", series: "KXNFLGAME", event: nfl, ticker: `${nfl}-${game.home_team}` },
    ...[["KXNFLSPREAD", `${game.away_team}4`, 3.5] as const, ["KXNFLTOTAL", "45", 44.5] as const].map(
      ([series, ending, floorStrike]): Contract => ({
        ...plain,
        ...{ domain: "nfl", series, event: `${series}-${matchup}`, ticker: `${series}-${matchup}-${ending}` },
        ...{ strikeType: "greater", floorStrike },
      }),
    ),
    { ...plain, domain: "mlb", series: "KXMLBGAME", event: mlb, ticker: `${mlb}-${home}` },
  ]
  return { contracts, strike: p_above[10]!.strike, gamePk: played.gamePk }
})
