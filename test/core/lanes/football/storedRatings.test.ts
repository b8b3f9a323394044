import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../adapters/lanes/football/mock/football.ts"
import * as ratingStates from "../../../../adapters/lanes/football/store/RatingStates.ts"
import { readFootball } from "../../../../bench/open/lanes/football/files.ts"
import { PlatformCrypto } from "../../../../core/account/PlatformCrypto.ts"
import { fail } from "../../../../core/Failure.ts"
import { groupByGameday } from "../../../../core/lanes/football/data/Game.ts"
import * as Ratings from "../../../../core/lanes/football/model/Ratings.ts"
import { Games, type League, RatingStates, type StateStore } from "../../../../core/lanes/football/ports.ts"
import { knownOn, league as made, rewrittenFrom, servedLeague } from "../../../support/footballLeague.ts"
import { emptyStore } from "../../../support/footballStore.ts"
import { describeRealData } from "../../../support/realData.ts"

const { games, weeks } = made(7, [2022, 2023, 2024], 6)
const days = groupByGameday(games).map(([first]) => first!.gameday)
const on = (day: string): League => servedLeague(knownOn(day, games), weeks)
const all = servedLeague(games, weeks)

const run = <A, E>(effect: Effect.Effect<A, E, PlatformCrypto | SqlClient.SqlClient>) =>
  Effect.provide(effect, emptyStore)

/** The ratings of a process that starts now, over a store. */
const started = (states: StateStore) =>
  Effect.map(PlatformCrypto, (secrets) => Ratings.make(secrets, { league: "mock", states }))

/** The same without stored states. */
const restarted = Effect.provide(Effect.flatMap(RatingStates, started), RatingStates.layerNone)

/** The store, with a list of what is asked of it. */
const watched = Effect.gen(function* () {
  const states = yield* Effect.provide(Effect.flatMap(RatingStates, Effect.succeed), ratingStates.layer)
  const seen: Array<string> = []
  const watching: StateStore = {
    load: (key) =>
      Effect.tap(states.load(key), (found) => {
        seen.push(`${found === undefined ? "missed" : "found"} ${key.season}`)
      }),
    save: (key, state) =>
      Effect.tap(states.save(key, state), () => {
        seen.push(`saved ${key.season}`)
      }),
  }
  return { states: watching, seen }
})

type Wanted = (season: number) => boolean

/** Every line of a league's wanted seasons, and the state before the last game: all that a call can see. */
const everything = (ratings: Ratings.Ratings, league: League, wanted: Wanted = () => true) =>
  Effect.gen(function* () {
    yield* ratings.catchUp(league)
    const records = league.seasons.filter(({ season }) => wanted(season)).flatMap((season) => season.records)
    // The newest first, so that a walk of what is not stored does not go in the order of the games.
    const lines = yield* Effect.forEach(records.toReversed(), (record) => ratings.line(league, record))
    const states = yield* Effect.forEach([0, records.length >> 1, records.length - 1], (at) =>
      ratings.stateBefore(league, records[at]!),
    )
    return { lines, states }
  })

const fromScratch = (league: League, wanted?: Wanted) =>
  Effect.flatMap(restarted, (ratings) => everything(ratings, league, wanted))

/** The newest seasons and an old one: the seasons between are stored and read in the same way. */
const someSeasons: Wanted = (season) => season === 2017 || season >= 2024

describe("stored states of the rating", () => {
  it.effect("are what a whole walk comes to, whenever the process before them ended", () =>
    run(
      Effect.gen(function* () {
        const { states } = yield* watched
        for (const day of [days[2]!, days[11]!, days[12]!, days[30]!]) {
          const league = on(day)
          assert.deepStrictEqual(yield* everything(yield* started(states), league), yield* fromScratch(league), day)
        }
      }),
    ),
  )

  it.effect("are continued by new games, not repeated", () =>
    run(
      Effect.gen(function* () {
        const { states, seen } = yield* watched
        yield* (yield* started(states)).catchUp(on(days[27]!))
        assert.deepStrictEqual(seen.splice(0), [
          ...["missed 2022", "saved 2022", "missed 2023", "saved 2023", "missed 2024", "saved 2024"],
        ])
        const next = yield* started(states)
        yield* next.catchUp(on(days[27]!))
        assert.deepStrictEqual(seen.splice(0), ["found 2022", "found 2023", "found 2024"])
        yield* next.catchUp(on(days[28]!))
        assert.deepStrictEqual(seen.splice(0), ["saved 2024"])
        assert.deepStrictEqual(yield* everything(next, on(days[28]!)), yield* fromScratch(on(days[28]!)))
      }),
    ),
  )

  it.effect("are refused where a final or a row of expected points is another one, and made again", () =>
    run(
      Effect.gen(function* () {
        const { states, seen } = yield* watched
        yield* (yield* started(states)).catchUp(all)
        seen.splice(0)
        const changed = rewrittenFrom(days[15]!, games, weeks)
        const league = servedLeague(changed.games, changed.weeks)
        assert.deepStrictEqual(yield* everything(yield* started(states), league), yield* fromScratch(league))
        assert.deepStrictEqual(seen, ["found 2022", "missed 2023", "saved 2023", "missed 2024", "saved 2024"])
      }),
    ),
  )

  it.effect("are refused where another model made them, or numbers are missing", () =>
    run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { states, seen } = yield* watched
        yield* (yield* started(states)).catchUp(all)
        yield* sql`UPDATE football_rating_states SET made_from = 'another model' WHERE season = 2023`
        yield* sql`UPDATE football_rating_states SET numbers = substr(numbers, 9) WHERE season = 2024`
        seen.splice(0)
        assert.deepStrictEqual(yield* everything(yield* started(states), all), yield* fromScratch(all))
        assert.deepStrictEqual(seen, ["found 2022", "missed 2023", "saved 2023", "missed 2024", "saved 2024"])
      }),
    ),
  )

  it.effect("are of one league each", () =>
    run(
      Effect.gen(function* () {
        const { states } = yield* watched
        yield* (yield* started(states)).catchUp(all)
        const state = yield* (yield* restarted).stateBefore(all, all.seasons[2]!.records[0]!)
        yield* states.save({ league: "live", season: 2022, madeFrom: "one" }, state)
        assert.isUndefined(yield* states.load({ league: "mock", season: 2022, madeFrom: "one" }))
        assert.deepStrictEqual(yield* states.load({ league: "live", season: 2022, madeFrom: "one" }), state)
      }),
    ),
  )

  it.effect("are not missed while the store is busy", () =>
    run(
      Effect.gen(function* () {
        const busy = fail("storage_unavailable")
        const rated = everything(yield* started({ load: () => busy, save: () => busy }), all)
        assert.deepStrictEqual(yield* rated, yield* fromScratch(all))
      }),
    ),
  )

  it.effect("are the same over the generated league, a month later", () =>
    run(
      Effect.gen(function* () {
        const { states, seen } = yield* watched
        const { league } = yield* Effect.provide(Games, mock.layerGames)
        yield* TestClock.setTime(Date.UTC(2026, 9, 20))
        yield* (yield* started(states)).catchUp(yield* league)
        seen.splice(0)
        yield* TestClock.setTime(Date.UTC(2026, 10, 20))
        const later = yield* league
        const continued = yield* everything(yield* started(states), later, someSeasons)
        assert.deepStrictEqual(
          seen.filter((one) => !one.startsWith("found")),
          ["missed 2026", "saved 2026"],
        )
        assert.deepStrictEqual(continued, yield* fromScratch(later, someSeasons))
      }),
    ),
  )
})

describeRealData("stored states over the recorded seasons", (root) => {
  it("are the same after the seasons since, and a line of any season", { timeout: 240_000 }, () =>
    Effect.runPromise(
      run(
        Effect.gen(function* () {
          const data = yield* readFootball({
            games: join(root, "football/games/nfl_games_1999_2025_merged.csv"),
            teamStats: join(root, "football/team_stats"),
          })
          const { states } = yield* watched
          const recorded = data.games.filter(({ season }) => season >= 2015)
          const at = (day: string) => servedLeague(knownOn(day, recorded), data.weeks)
          yield* (yield* started(states)).catchUp(at("2024-11-20"))
          const league = at("2026-01-01")
          const continued = yield* everything(yield* started(states), league, someSeasons)
          assert.deepStrictEqual(continued, yield* fromScratch(league, someSeasons))
          assert.isAbove(continued.lines.length, 3 * 256)
        }),
      ),
    ),
  )
})
