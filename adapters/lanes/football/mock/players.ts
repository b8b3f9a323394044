import type { Team } from "../../../../core/lanes/football/data/teams.ts"
import { draws, memoize } from "../../mock/draws.ts"
import { normal } from "../../mock/hash.ts"
import * as Names from "../../mock/names.ts"
import { firstSeason, teamNumber } from "./teams.ts"

export interface Player {
  /** GSIS id; that of an invented player is from an unassigned range. */
  readonly id: string
  /** Names its draws. */
  readonly seed: string
  readonly name: string
  readonly position: string
}

const playerName = memoize((...key: ReadonlyArray<string | number>) => Names.drawName("football", ...key))

const playerId = (team: Team, number: number): string =>
  `00-9${String(teamNumber.get(team)!).padStart(2, "0")}${String(number).padStart(4, "0")}`

/** A head coach stays four seasons. */
export const headCoach = (team: Team, season: number): string =>
  playerName("coach", team, Math.floor((season + teamNumber.get(team)!) / 4))

/** The quarterback of the catalogue's example plays for Kansas City from this season on. */
const example = { team: "KC", from: 2018, number: 99 } as const

/** The number of a team's first quarterback; one stays for seven seasons. */
const drawTenure = (team: Team, season: number): number =>
  team === example.team && season >= example.from
    ? example.number
    : Math.floor((season - firstSeason + 3 * teamNumber.get(team)!) / 7)

const publicSeason = 2025

/**
 * The public names and GSIS ids of the first quarterbacks of that season, so that searches for well-known names
 * succeed. Whoever holds a team's tenure then has that name; all his numbers are invented like the others'.
 */
const publicNames: Readonly<Partial<Record<Team, readonly [id: string, name: string]>>> = {
  ARI: ["00-0035228", "Kyler Murray"],
  ATL: ["00-0039917", "Michael Penix"],
  BAL: ["00-0034796", "Lamar Jackson"],
  BUF: ["00-0034857", "Josh Allen"],
  CAR: ["00-0039150", "Bryce Young"],
  CHI: ["00-0039918", "Caleb Williams"],
  CIN: ["00-0036442", "Joe Burrow"],
  DAL: ["00-0033077", "Dak Prescott"],
  DEN: ["00-0039732", "Bo Nix"],
  DET: ["00-0033106", "Jared Goff"],
  GB: ["00-0036264", "Jordan Love"],
  HOU: ["00-0039163", "C.J. Stroud"],
  IND: ["00-0035710", "Daniel Jones"],
  JAX: ["00-0036971", "Trevor Lawrence"],
  KC: ["00-0033873", "Patrick Mahomes"],
  LA: ["00-0026498", "Matthew Stafford"],
  LAC: ["00-0036355", "Justin Herbert"],
  LV: ["00-0030565", "Geno Smith"],
  MIA: ["00-0036212", "Tua Tagovailoa"],
  MIN: ["00-0039923", "J.J. McCarthy"],
  NE: ["00-0039851", "Drake Maye"],
  NYG: ["00-0040691", "Jaxson Dart"],
  PHI: ["00-0036389", "Jalen Hurts"],
  PIT: ["00-0023459", "Aaron Rodgers"],
  SEA: ["00-0034869", "Sam Darnold"],
  SF: ["00-0037834", "Brock Purdy"],
  TB: ["00-0034855", "Baker Mayfield"],
  TEN: ["00-0040676", "Cam Ward"],
  WAS: ["00-0039910", "Jayden Daniels"],
}

const firstQuarterback = memoize((team: Team, season: number): Player => {
  const number = drawTenure(team, season)
  const seed = playerId(team, number)
  const named = number === drawTenure(team, publicSeason) ? publicNames[team] : undefined
  const [id, name] = named ?? [seed, playerName("quarterback", team, number)]
  return { id, seed, name, position: "QB" }
})

/** The backup quarterback, for two seasons. */
const backupQuarterback = (team: Team, season: number): Player => {
  const number = 200 + Math.floor((season - firstSeason) / 2)
  const id = playerId(team, number)
  return { id, seed: id, name: playerName("quarterback", team, number), position: "QB" }
}

/** Weeks in which the first quarterback is out, both included; none in most seasons. */
export const drawAbsence = memoize(
  (team: Team, season: number): { readonly from: number; readonly until: number } | undefined => {
    const { uniform, below } = draws("football", "absence", team, season)
    if (uniform() > 0.25) return undefined
    const from = 2 + below(14)
    return { from, until: from + below(5) }
  },
)

/** The starter; `expected` is the one before a late change. */
export const startingQuarterback = (team: Team, season: number, week: number, expected = false): Player => {
  const out = drawAbsence(team, season)
  const isOut = out !== undefined && week >= out.from && week <= out.until && !(expected && week === out.from)
  return isOut ? backupQuarterback(team, season) : firstQuarterback(team, season)
}

/** A quarterback's value above average, points. */
export const playerQuality = ({ id, seed }: Player): number =>
  id === publicNames[example.team]?.[0] ? 4 : 2 * drawTalent(seed)

const drawTalent = memoize((seed: string) => normal("football", "quality", seed))

const positions = [
  ...["RB", "RB", "WR", "WR", "WR", "TE", "TE", "T", "T", "G", "G", "C", "DE", "DE", "DT", "DT"],
  ...["LB", "LB", "LB", "CB", "CB", "CB", "S", "S", "K", "P"],
]

/** All players except quarterbacks: each place of a roster changes every few seasons. */
export const listRoster = (team: Team, season: number): ReadonlyArray<Player> =>
  positions.map((position, place) => {
    const stay = 2 + (place % 4)
    const turn = Math.floor((season + place + teamNumber.get(team)!) / stay)
    const id = playerId(team, 1000 + place * 300 + (turn % 300))
    return { id, seed: id, name: playerName(position, team, place, turn), position }
  })
