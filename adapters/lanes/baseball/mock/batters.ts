import type { LineUp } from "../../../../core/lanes/baseball/skill/lineUps.ts"
import type { PitchingCounts } from "../../../../core/lanes/baseball/skill/rates.ts"
import { hour } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { hashSeed, normalAt, uniform } from "../../mock/hash.ts"
import type { MockGame, MockSide } from "./season.ts"

/** Batters of a team, of whom nine start. */
const rosterSize = 13
const careerSeasons = 5
const firstYear = 1990
const seed = hashSeed("baseball/batters")

const batterGeneration = (slot: number, season: number): number =>
  Math.floor((season - firstYear + slot) / careerSeasons)

/** No pitcher has such an id. */
const batterId = (team: number, slot: number, season: number): number =>
  700_000 + team * 1_000 + slot * 70 + batterGeneration(slot, season)

const batterTalent = (id: number): number => normalAt(seed, id, 0)

const listBatters = memoize(
  (team: number, season: number): ReadonlyArray<number> =>
    Array.from({ length: rosterSize }, (_, slot) => batterId(team, slot, season)).sort(
      (a, b) => batterTalent(b) - batterTalent(a),
    ),
  512,
)

/** The starting batters, the best first; a regular rests in one game of eight. */
export const drawLineUp = ({ gamePk, season }: Pick<MockGame, "gamePk" | "season">, { team }: MockSide): LineUp => {
  const all = listBatters(team.index, season)
  const isResting = (id: number): boolean => uniform("baseball/rest", gamePk, id) < 1 / 8
  const ready = [...all.filter((id) => !isResting(id)), ...all.filter(isResting)]
  const chosen = new Set(ready.slice(0, 9))
  return all.filter((id) => chosen.has(id)).map(String)
}

/** Teams post their line-ups two to four hours before the first pitch. */
export const isPosted = ({ gamePk, firstPitch }: MockGame, { team }: MockSide, now: number): boolean =>
  now >= firstPitch - (2 + 2 * uniform("baseball/posted", gamePk, team.index)) * hour

/** A batter's whole season, by his talent; undefined for ids without a career in it. */
export const drawBatting = memoize((batter: string, season: number): PitchingCounts | undefined => {
  const id = Number(batter)
  const [slot, generation] = [Math.floor(((id - 700_000) % 1_000) / 70), ((id - 700_000) % 1_000) % 70]
  if (generation !== batterGeneration(slot, season)) return undefined
  const draw = (which: number): number => normalAt(seed, id, 10 * (season - firstYear) + which)
  const faced = Math.round(460 + 110 * Math.max(-2, Math.min(2, draw(1))))
  const count = (rate: number, which: number): number =>
    Math.max(0, Math.round(rate * faced + Math.sqrt(rate * faced) * Math.max(-3, Math.min(3, draw(which)))))
  const better = Math.exp(0.14 * batterTalent(id))
  const [homers, doubles, triples] = [count(0.029 * better ** 2, 2), count(0.042 * better, 3), count(0.004, 4)]
  const walks = count(0.08 * better, 5)
  return {
    ...{ faced, homers, doubles, triples, hits: homers + doubles + triples + count(0.14 * better, 6) },
    ...{ walks, intentional: Math.min(walks, count(0.003, 7)), hitBatsmen: count(0.009, 8) },
    strikeouts: count(0.22 / better, 9),
  }
}, 4_096)
