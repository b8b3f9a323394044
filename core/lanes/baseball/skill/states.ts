import * as Schema from "effect/Schema"
import { getOrMake } from "../../../getOrMake.ts"
import type { FairOdds } from "../fields.ts"
import type { Hyperparameters } from "../parameters.ts"
import type { LineUp } from "./lineUps.ts"
import { type Careers, eventSums, type PitchingCounts, type RateName, rateNames, sumCareer } from "./rates.ts"

/** A side of a game, by the keys of its team and of the pitcher who started. */
export interface SkillSide {
  readonly team: string
  /** Absent while unknown; all of the team's pitching then counts as its bullpen's. */
  readonly starter?: string | undefined
}

interface SkillGame {
  readonly season: number
  /** YYYY-MM-DD. */
  readonly day: string
  readonly home: SkillSide
  readonly away: SkillSide
}

export interface PitchedGame extends SkillGame {
  readonly id: string
  readonly home: PitchedSide
  readonly away: PitchedSide
}

export interface PitchedSide extends SkillSide {
  readonly counts: PitchingCounts
  /** Absent if the line-up was not read. */
  readonly lineUp?: LineUp | undefined
}

/** Mean and variance of a skill, relative to the league's rate per batter faced. */
const Skill = Schema.Struct({ mean: Schema.Finite, variance: Schema.Finite })
type Skill = typeof Skill.Type

/** The states of one rate, by team, kept from season to season; starters begin each season from their prior. */
const SkillsByTeam = Schema.Record({ key: Schema.String, value: Skill })
const RateStates = Schema.Struct({ league: Schema.Finite, bullpens: SkillsByTeam, bats: SkillsByTeam })
type RateStates = typeof RateStates.Type

export const SkillStates = Schema.Struct({
  season: Schema.Int,
  rates: Schema.Struct({ kbb: RateStates, lw: RateStates }),
})
export type SkillStates = typeof SkillStates.Type

/** Differences of skills between the sides, per batter faced, by rate. */
export type SkillTerms = NonNullable<FairOdds["prediction"]["skills"]>
type Differences = SkillTerms[RateName]

/** The skills of starters, bullpens and bats. `before` gives those for a game to come; `learn` updates them after a game. */
export interface Skills {
  readonly before: (game: SkillGame) => SkillTerms
  readonly learn: (game: PitchedGame) => void
  readonly states: () => SkillStates
}

type Parameters = Hyperparameters["skill"]
type Kind = "starters" | "bullpens" | "bats"
type Estimate = { mean: number; variance: number }

const copySkills = (skills: Readonly<Record<string, Skill>> = {}): Map<string, Estimate> =>
  new Map(Object.entries(skills).map(([key, skill]) => [key, { ...skill }]))

/** Subtracts the mean from skills and returns it. */
const centreSkills = (skills: ReadonlyArray<Estimate>): number => {
  const mean = skills.reduce((sum, skill) => sum + skill.mean, 0) / Math.max(1, skills.length)
  for (const skill of skills) skill.mean -= mean
  return mean
}

/**
 * The states of one rate: scalar Kalman filters that share each game's innovation. A game's expected rate is
 * league + share · starter + (1 − share) · bullpen + the other side's bats.
 */
const makeRate = (name: RateName, careers: Careers, all: Parameters, from: RateStates | undefined) => {
  const { noise, faced: priorFaced, league: first } = all.rates[name]
  const talent = noise / priorFaced
  const byTeam = { bullpens: copySkills(from?.bullpens), bats: copySkills(from?.bats) }
  const starters = new Map<string, Estimate>()
  let league = from?.league ?? first

  const getTeam = (kind: keyof typeof byTeam, team: string): Estimate =>
    getOrMake(byTeam[kind], team, () => ({ mean: 0, variance: all[kind].first * talent }))

  /** A starter's prior at the beginning of a season: his last seasons above the league's, shrunk to it. */
  const getStarter = (pitcher: string, season: number): Estimate =>
    getOrMake(starters, pitcher, () => {
      const { above, faced } = sumCareer(careers, pitcher, season, name, all.seasons)
      const shrunk = faced + priorFaced
      return { mean: above / shrunk, variance: (talent * priorFaced) / shrunk + all.starters.added * talent }
    })

  return {
    enter: () => {
      // The means of bullpens and bats go to the league's rate: games show only the sum, so they would drift apart.
      league += (1 - all.share) * centreSkills([...byTeam.bullpens.values()])
      league += centreSkills([...byTeam.bats.values()])
      starters.clear()
      for (const kind of ["bullpens", "bats"] as const) {
        const { carry, added } = all[kind]
        for (const skill of byTeam[kind].values()) {
          skill.mean *= carry
          skill.variance = skill.variance * carry ** 2 + added * talent
        }
      }
    },
    before: ({ season, home, away }: SkillGame): Differences => {
      const [h, a] = [home, away].map(({ team, starter }) => ({
        starter: starter === undefined ? 0 : getStarter(starter, season).mean,
        bullpen: getTeam("bullpens", team).mean,
        bats: getTeam("bats", team).mean,
      })) as [Differences, Differences]
      return { starter: a.starter - h.starter, bullpen: a.bullpen - h.bullpen, bats: h.bats - a.bats }
    },
    learn: ({ team, starter, counts }: PitchedSide, other: string, season: number) => {
      const { faced } = counts
      if (faced < all.leastFaced) return
      const share = starter === undefined ? 0 : all.share
      const parts: ReadonlyArray<readonly [Kind, Estimate, number]> = [
        ...(starter === undefined ? [] : [["starters", getStarter(starter, season), share] as const]),
        ["bullpens", getTeam("bullpens", team), 1 - share],
        ["bats", getTeam("bats", other), 1],
      ]
      const variance = parts.reduce((sum, [, skill, h]) => sum + h * h * skill.variance, noise / faced)
      const expected = parts.reduce((sum, [, skill, h]) => sum + h * skill.mean, league)
      const surprise = eventSums[name](counts) / faced - expected
      const limit = all.clip * Math.sqrt(variance)
      const counted = Math.max(-limit, Math.min(limit, surprise))
      for (const [kind, skill, h] of parts) {
        const gain = (h * skill.variance) / variance
        skill.mean += gain * counted
        skill.variance += all[kind].game - gain * h * skill.variance
      }
      league += all.leagueStep * surprise
    },
    states: (): RateStates => ({
      league,
      bullpens: Object.fromEntries([...byTeam.bullpens].map(([team, skill]) => [team, { ...skill }])),
      bats: Object.fromEntries([...byTeam.bats].map(([team, skill]) => [team, { ...skill }])),
    }),
  }
}

/**
 * The skills of starters, bullpens and bats over games in the order of time.
 *
 * @param from the states after an earlier season; without them every team begins at the league's rate
 */
export const makeSkills = (careers: Careers, { skill }: Hyperparameters, from?: SkillStates): Skills => {
  const rates = rateNames.map((name) => [name, makeRate(name, careers, skill, from?.rates[name])] as const)
  let season = from?.season
  const enter = (year: number): void => {
    season ??= year
    for (; season < year; season++) for (const [, rate] of rates) rate.enter()
  }
  const byName = <A>(each: (rate: (typeof rates)[number][1]) => A): Readonly<Record<RateName, A>> =>
    Object.fromEntries(rates.map(([name, rate]) => [name, each(rate)])) as Record<RateName, A>
  return {
    before: (game) => {
      enter(game.season)
      return byName((rate) => rate.before(game))
    },
    learn: ({ season: year, home, away }) => {
      enter(year)
      for (const [, rate] of rates) {
        rate.learn(away, home.team, year)
        rate.learn(home, away.team, year)
      }
    },
    states: () => ({ season: season ?? Number.NEGATIVE_INFINITY, rates: byName((rate) => rate.states()) }),
  }
}

/** Games in the order in which they are learned: by day, then by id. */
export const sortByTime = (games: ReadonlyArray<PitchedGame>): ReadonlyArray<PitchedGame> =>
  [...games].sort((a, b) => (a.day === b.day ? (a.id < b.id ? -1 : 1) : a.day < b.day ? -1 : 1))
