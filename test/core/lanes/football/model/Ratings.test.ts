// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as secrets from "../../../../../adapters/runtime/node/secrets.ts"
import { predictAll } from "../../../../../bench/open/train/footballWalk.ts"
import { PlatformCrypto } from "../../../../../core/account/PlatformCrypto.ts"
import { type Game, groupByGameday, hideResult } from "../../../../../core/lanes/football/data/Game.ts"
import { initialState, learn, predict } from "../../../../../core/lanes/football/model/Model.ts"
import * as Ratings from "../../../../../core/lanes/football/model/Ratings.ts"
import type { League } from "../../../../../core/lanes/football/ports.ts"
import {
  knownOn as allKnownOn,
  league as made,
  rewrittenFrom,
  servedLeague,
} from "../../../../support/footballLeague.ts"

const { games, weeks } = made(7, [2022, 2023, 2024], 6)

const leagueOf = (all: ReadonlyArray<Game>, rows = weeks): League => servedLeague(all, rows)
const knownOn = (day: string): ReadonlyArray<Game> => allKnownOn(day, games)

const ratings = Effect.map(PlatformCrypto, Ratings.make)
const run = <A, E>(effect: Effect.Effect<A, E, PlatformCrypto>) => Effect.provide(effect, secrets.layer)

const days = groupByGameday(games).map(([first]) => first!.gameday)
const lines = (rating: Ratings.Ratings, league: League) =>
  Effect.forEach(
    league.seasons.flatMap(({ records }) => records),
    (record) => Effect.map(rating.line(league, record), (rated) => [record.game.id, rated] as const),
  ).pipe(Effect.map((all) => new Map(all)))

describe("ratings over a league", () => {
  it.effect("are the walk: every played game as it stood before its day, without its weather", () =>
    run(
      Effect.gen(function* () {
        const found = yield* lines(yield* ratings, leagueOf(games))
        const calm = games.map(({ wind: _, temperature: __, ...game }) => game)
        let n = 0
        // The state learns from the weather of past games, the line does not know its own.
        let state = initialState
        for (const day of groupByGameday(games)) {
          for (const game of day) {
            const { margins: _, ...expected } = predict(state, calm.find(({ id }) => id === game.id)!)
            assert.deepStrictEqual(found.get(game.id)!.line, expected)
            assert.strictEqual(found.get(game.id)!.through, state.through)
            n++
          }
          state = learn(state, day, weeks)
        }
        assert.strictEqual(n, games.length)
        const replayed = [...predictAll(initialState, games, weeks)].flatMap(({ predictions }) => predictions)
        for (const { game, line } of replayed) {
          const { margins: _, ...expected } = line
          assert.deepStrictEqual(found.get(game.id)!.line, expected)
        }
      }),
    ),
  )

  it.effect("move on with every final to what they would be from scratch", () =>
    run(
      Effect.gen(function* () {
        const moving = yield* ratings
        for (const day of days.filter((_, at) => at % 5 === 0)) {
          const league = leagueOf(knownOn(day))
          const scratch = yield* ratings
          assert.deepStrictEqual(yield* lines(moving, league), yield* lines(scratch, league), day)
        }
      }),
    ),
  )

  it.effect("are put right when a final far back, or a row of expected points, is corrected", () =>
    run(
      Effect.gen(function* () {
        const moving = yield* ratings
        const before = yield* lines(moving, leagueOf(games))
        const cut = days[9]!
        const changed = rewrittenFrom(cut, games, weeks)
        const league = leagueOf(changed.games, changed.weeks)
        const after = yield* lines(moving, league)
        assert.deepStrictEqual(after, yield* lines(yield* ratings, league))
        for (const game of games) {
          const same = assert.deepStrictEqual.bind(assert, after.get(game.id), before.get(game.id))
          if (game.gameday <= cut) same(game.id)
          else assert.notStrictEqual(after.get(game.id)!.inputsHash, before.get(game.id)!.inputsHash)
        }
        assert.deepStrictEqual(yield* lines(moving, leagueOf(games)), before)
      }),
    ),
  )

  it.effect("give one hash to equal inputs, and another where a starter changes", () =>
    run(
      Effect.gen(function* () {
        const rating = yield* ratings
        const day = days.at(-1)!
        const known = knownOn(day)
        const league = leagueOf(known)
        const next = league.seasons.at(-1)!.records.find(({ game }) => game.gameday === day)!
        const rated = yield* rating.line(league, next)
        const { inputsHash, line } = rated
        const again = leagueOf(known)
        assert.strictEqual((yield* rating.line(again, next)).inputsHash, inputsHash)
        const other = { ...next, game: { ...next.game, home: { ...next.game.home, quarterback: "somebody else" } } }
        const changed = yield* rating.line(league, other)
        assert.notStrictEqual(changed.inputsHash, inputsHash)
        assert.notStrictEqual(changed.line.homeMargin, line.homeMargin)
        const posted = { ...next, lines: { spread: 3, total: 40, homeMoneyline: -150, awayMoneyline: 130 } }
        assert.deepStrictEqual(yield* rating.line(league, posted), rated)
        assert.strictEqual(rated.through, days.at(-2))
      }),
    ),
  )

  it.effect("walk again to the state of an old game", () =>
    run(
      Effect.gen(function* () {
        const rating = yield* ratings
        const league = leagueOf(games)
        for (const record of league.seasons.flatMap(({ records }) => records).filter((_, at) => at % 37 === 0)) {
          const { line } = yield* rating.line(league, record)
          const state = yield* rating.stateBefore(league, record)
          assert.isTrue(state.through < record.game.gameday)
          assert.strictEqual(predict(state, hideResult(record.game)).homeMargin, line.homeMargin)
        }
      }),
    ),
  )

  it.effect("answer callers at once from one walk", () =>
    run(
      Effect.gen(function* () {
        const rating = yield* ratings
        const league = leagueOf(games)
        const [record] = league.seasons[2]!.records
        const all = yield* Effect.all(
          Array.from({ length: 20 }, () => rating.line(league, record!)),
          { concurrency: "unbounded" },
        )
        assert.strictEqual(new Set(all.map(({ line }) => line)).size, 1)
      }),
    ),
  )

  it.effect("know nothing of a league that has not played", () =>
    run(
      Effect.gen(function* () {
        const league = leagueOf(knownOn("2000-01-01"))
        const rated = yield* (yield* ratings).line(league, league.seasons[0]!.records[0]!)
        assert.strictEqual(rated.through, "")
        assert.deepStrictEqual(rated.line.formGamesUsed, { home: 0, away: 0 })
      }),
    ),
  )
})
