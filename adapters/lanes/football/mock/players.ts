import type { Team } from "../../../../core/lanes/football/data/teams.ts"
import { draws, memoize } from "../../mock/draws.ts"
import { normal, seedOf } from "../../mock/hash.ts"
import { firstSeason, teamNumber } from "./teams.ts"

export interface Player {
  /** GSIS id form, from an unassigned range. */
  readonly id: string
  readonly name: string
  readonly position: string
}

const wordsOf = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const firstNames = wordsOf(`
  Alden Bram Caspian Dorian Emeric Farley Gareth Hollis Ignace Jorah Kester Lorne Magnus Nevin Osric Piers
  Quill Roderic Silvan Torin Ulric Varian Wendell Xander Yorick Zeke Anselm Barnaby Corwin Desmond Evander
  Fergus
`)

const lastNames = wordsOf(`
  Ashgrove Birchwell Coldharbor Dunmarsh Elderfen Foxmantle Greyholt Hazelbrook Ironmere Jadeworth Kestrelby
  Larkspurn Mossgate Northcray Oakhurst Pennyfold Quarrington Ravensby Silverlode Thornacre Umberfield
  Valewright Wexcombe Yarrowdale Zephyrine Applegarth Brackenridge Copperthwaite Dellinghame Emberstone
  Fernsby Gallowglass Heathermoor Inkerwell Juniperson Kindlewick Lanternby Meadowcroft Nettleship Orchardley
  Plumtree Rookwood
`)

const nameOf = memoize((...key: ReadonlyArray<string | number>) => {
  const { pick } = draws("football", "name", ...key)
  return `${pick(firstNames)} ${pick(lastNames)}`
})

const idOf = (team: Team, number: number): string =>
  `00-9${String(teamNumber.get(team)!).padStart(2, "0")}${String(number).padStart(4, "0")}`

/** A head coach stays four seasons. */
export const coachOf = (team: Team, season: number): string =>
  nameOf("coach", team, Math.floor((season + teamNumber.get(team)!) / 4))

interface Tenure {
  readonly from: number
  readonly until: number
  readonly player: Player
}

const tenures = new Map<Team, Array<Tenure>>()

/** The quarterback of the catalogue's example plays for Kansas City; invented like all others. */
const example = { team: "KC", name: "Peregrine Oakenshaw", from: 2018, until: 2060 } as const

/** A team's first quarterbacks, tenure after tenure. */
const tenureOf = (team: Team, season: number): Tenure => {
  const known = tenures.get(team) ?? []
  tenures.set(team, known)
  while ((known.at(-1)?.until ?? 0) < season) {
    const number = known.length
    const from = (known.at(-1)?.until ?? firstSeason - 1) + 1
    const isExample = team === example.team && from === example.from
    const drawn = from + 1 + (seedOf(`football/${team}/tenure/${number}`) % 8)
    const longest = team === example.team && from < example.from ? example.from - 1 : Number.POSITIVE_INFINITY
    known.push({
      from,
      until: isExample ? example.until : Math.min(drawn, longest),
      player: {
        id: idOf(team, number),
        name: isExample ? example.name : nameOf("quarterback", team, number),
        position: "QB",
      },
    })
  }
  return known.find(({ until }) => season <= until)!
}

/** The backup quarterback, for two seasons. */
const backupOf = (team: Team, season: number): Player => {
  const number = 200 + Math.floor((season - firstSeason) / 2)
  return { id: idOf(team, number), name: nameOf("quarterback", team, number), position: "QB" }
}

/** Weeks in which the first quarterback is out, both included; none in most seasons. */
export const absenceOf = memoize(
  (team: Team, season: number): { readonly from: number; readonly until: number } | undefined => {
    const { uniform, below } = draws("football", "absence", team, season)
    if (uniform() > 0.25) return undefined
    const from = 2 + below(14)
    return { from, until: from + below(5) }
  },
)

/** The starter; `expected` is the one before a late change. */
export const starterOf = (team: Team, season: number, week: number, expected = false): Player => {
  const out = absenceOf(team, season)
  const isOut = out !== undefined && week >= out.from && week <= out.until && !(expected && week === out.from)
  return isOut ? backupOf(team, season) : tenureOf(team, season).player
}

/** A quarterback's value above average, points. */
export const qualityOf = ({ id, name }: Player): number => (name === example.name ? 4 : 2 * talentOf(id))

const talentOf = memoize((id: string) => normal("football", "quality", id))

const positions = [
  ...["RB", "RB", "WR", "WR", "WR", "TE", "TE", "T", "T", "G", "G", "C", "DE", "DE", "DT", "DT"],
  ...["LB", "LB", "LB", "CB", "CB", "CB", "S", "S", "K", "P"],
]

/** All players but the quarterbacks: each place of a roster changes every few seasons. */
export const rosterOf = (team: Team, season: number): ReadonlyArray<Player> =>
  positions.map((position, place) => {
    const stay = 2 + (place % 4)
    const turn = Math.floor((season + place + teamNumber.get(team)!) / stay)
    return {
      id: idOf(team, 1000 + place * 300 + (turn % 300)),
      name: nameOf(position, team, place, turn),
      position,
    }
  })
