import { countNames, type PitchingCounts, ratesOf, summed } from "../../../../core/lanes/baseball/skill/rates.ts"
import type { PitchedGame } from "../../../../core/lanes/baseball/skill/states.ts"
import { dayOf } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { normalAt, seedOf } from "../../mock/hash.ts"
import { lineUpOf } from "./batters.ts"
import type { MockGame } from "./season.ts"
import { pitching } from "./teams.ts"

const seed = seedOf("baseball/lines")

/**
 * Batters faced by a side and their outcomes: means of a usual game, moved by the runs that it allowed; good starters
 * strike out more.
 */
export const countsOf = ({ gamePk, home, away }: MockGame, side: "home" | "away"): PitchingCounts => {
  const [own, other] = side === "home" ? [home, away] : [away, home]
  const drawn = (which: number, mean: number, spread: number) =>
    Math.max(0, Math.round(mean + spread * normalAt(seed, 2 * gamePk + (side === "home" ? 1 : 0), which)))
  const homers = Math.min(other.runs, drawn(0, 0.25 * other.runs, 0.8))
  const doubles = drawn(1, 0.35 * other.runs, 0.9)
  const triples = drawn(2, 0.1, 0.3)
  const hits = homers + doubles + triples + drawn(3, 3.5 + 0.4 * other.runs, 1.2)
  const walks = drawn(4, 1.8 + 0.3 * other.runs, 1.2)
  const hitBatsmen = drawn(5, 0.3, 0.5)
  const strikeouts = Math.min(27, drawn(6, 8.6 / pitching(own.starter.id), 2.4))
  return {
    faced: 27 + hits + walks + hitBatsmen,
    ...{ strikeouts, walks, intentional: Math.min(walks, drawn(7, 0, 0.3)), hitBatsmen },
    ...{ hits, doubles, triples, homers },
  }
}

/** A final game with its pitching. */
export const pitchedGame = (game: MockGame): PitchedGame => {
  const side = (which: "home" | "away") => ({
    team: String(game[which].team.id),
    starter: String(game[which].starter.id),
    counts: countsOf(game, which),
    lineUp: lineUpOf(game, game[which]),
  })
  return {
    id: String(game.gamePk),
    season: game.season,
    day: dayOf(game.playedOn),
    home: side("home"),
    away: side("away"),
  }
}

/** The starter's part of a side's batters. */
const starterShare = 0.62

const shareOf = (counts: PitchingCounts): PitchingCounts =>
  Object.fromEntries(
    countNames.map((name) => [name, Math.round(starterShare * counts[name])]),
  ) as unknown as PitchingCounts

/** Whole seasons of starters, and the league's rates, by the season's games. */
export const careersOf = (games: ReadonlyArray<PitchedGame>) => {
  const own = new Map<string, Array<PitchingCounts>>()
  const all: Array<PitchingCounts> = []
  for (const { home, away } of games) {
    for (const { starter, counts } of [home, away]) {
      all.push(counts)
      own.set(starter!, [...(own.get(starter!) ?? []), shareOf(counts)])
    }
  }
  const totals = memoize((pitcher: string) => summed(own.get(pitcher) ?? []))
  return {
    rates: all.length === 0 ? undefined : ratesOf(summed(all)),
    of: (pitcher: string) => (own.has(pitcher) ? totals(pitcher) : undefined),
  }
}
