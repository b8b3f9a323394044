import { normal } from "../../mock/hash.ts"
import { drawName } from "../../mock/names.ts"

/** A team of the invented league. */
export interface MockTeam {
  readonly index: number
  readonly id: number
  readonly name: string
  readonly park: string
  /** Hours from local daylight time to UTC. */
  readonly toUtc: number
}

/** Places without a team of any real league, by time zone. */
const names: Readonly<Record<number, ReadonlyArray<string>>> = {
  4: [
    "Albany Locks",
    "Asheville Ridges",
    "Augusta Pines",
    "Bangor Lumberjacks",
    "Dayton Gliders",
    "Erie Ferries",
    "Norfolk Anchors",
    "Richmond Foundry",
    "Savannah Lanterns",
    "Trenton Bridges",
  ],
  5: [
    "Amarillo Windmills",
    "Biloxi Shrimpers",
    "Des Moines Silos",
    "Duluth Harbors",
    "Knoxville Fiddlers",
    "Mobile Magnolias",
    "Omaha Signals",
    "Shreveport Cypress",
    "Tulsa Derricks",
    "Wichita Kites",
  ],
  6: ["Billings Bison", "Boise Sawtooths", "Cheyenne Headwinds", "Santa Fe Mesas", "Provo Beacons"],
  7: ["Fresno Orchards", "Reno Assayers", "Salem Rainmakers", "Spokane Falls", "Stockton Levees"],
}

/** Thirty teams, with ids that no real team has. */
export const teams: ReadonlyArray<MockTeam> = Object.entries(names)
  .flatMap(([toUtc, some]) => some.map((name) => ({ toUtc: Number(toUtc), name })))
  .map(({ toUtc, name }, index) => ({ index, id: 901 + index, name, park: name.replace(/ \w+$/, " Field"), toUtc }))

/** Multiplier of a team's runs in a season; half of it persists from year to year. */
export const hitting = (team: number, season: number): number =>
  Math.exp(0.055 * (normal("baseball/hitting", team) + normal("baseball/hitting", team, season)))

/** Starters of a rotation; the substitute changes every season. */
export const rotation = 5
export const spotStarter = rotation

export interface MockPitcher {
  readonly id: number
  readonly name: string
  /** His first season. */
  readonly since: number
}

/** A career at one place of a rotation, in seasons. */
const career = 4
const firstYear = 1990

/** The pitcher at a place of a team's rotation in a season. */
export const findPitcher = (team: number, slot: number, season: number): MockPitcher => {
  const years = season - firstYear + slot
  const generation = slot === spotStarter ? season - firstYear : Math.floor(years / career)
  const id = 600_000 + team * 1_000 + slot * 150 + generation
  return { id, name: drawName("baseball", id), since: slot === spotStarter ? season : season - (years % career) }
}

/** The place of an id; undefined for an unknown id. */
export const pitcherSlot = (id: number): { readonly team: number; readonly slot: number } | undefined => {
  const [team, rest] = [Math.floor((id - 600_000) / 1_000), (id - 600_000) % 1_000]
  const slot = Math.floor(rest / 150)
  return team < 0 || team >= teams.length || slot > spotStarter ? undefined : { team, slot }
}

/** Multiplier of the runs that a pitcher's side allows. */
export const pitching = (id: number): number => Math.exp(0.11 * normal("baseball/pitching", id))
