import { inventedNames } from "../../../../core/lanes/baseball/teams.ts"
import { normal } from "../../mock/hash.ts"
import { drawName } from "../../mock/names.ts"

export interface MockTeam {
  readonly index: number
  readonly id: number
  /** As in venues' tickers. */
  readonly code: string
  readonly name: string
  readonly park: string
  /** Hours from local daylight time to UTC. */
  readonly toUtc: number
}

const codes: Readonly<Record<number, string>> = {
  4: "ALB ASH AUG BAN DAY ERI NOR RIC SAV TRE",
  5: "AMA BLX DES DUL KNO MOB OMA SHR TUL WIC",
  6: "BLG BOI CHE SAN PRO",
  7: "FRE REN SAL SPO STO",
}

/** Thirty teams, with ids that no real team has. */
export const teams: ReadonlyArray<MockTeam> = Object.entries(codes)
  .flatMap(([toUtc, some]) =>
    some.split(" ").map((code) => ({ toUtc: Number(toUtc), code, name: inventedNames[code]! })),
  )
  .map((team, index) => ({ ...team, index, id: 901 + index, park: team.name.replace(/ \w+$/, " Field") }))

/** Multiplier of a team's runs in a season; half of it persists from year to year. */
export const hittingFactor = (team: number, season: number): number =>
  Math.exp(0.055 * (normal("baseball/hitting", team) + normal("baseball/hitting", team, season)))

/** Starters of a rotation; the substitute changes every season. */
export const rotationSize = 5
export const spotStarter = rotationSize

export interface MockPitcher {
  readonly id: number
  readonly name: string
  /** His first season. */
  readonly since: number
}

/** Length of a pitcher's career in a rotation, seasons. */
const careerSeasons = 4
const firstYear = 1990

export const findPitcher = (team: number, slot: number, season: number): MockPitcher => {
  const years = season - firstYear + slot
  const generation = slot === spotStarter ? season - firstYear : Math.floor(years / careerSeasons)
  const id = 600_000 + team * 1_000 + slot * 150 + generation
  return { id, name: drawName("baseball", id), since: slot === spotStarter ? season : season - (years % careerSeasons) }
}

/** The team and place of a pitcher's id; undefined for an unknown id. */
export const pitcherSlot = (id: number): { readonly team: number; readonly slot: number } | undefined => {
  const [team, rest] = [Math.floor((id - 600_000) / 1_000), (id - 600_000) % 1_000]
  const slot = Math.floor(rest / 150)
  return team < 0 || team >= teams.length || slot > spotStarter ? undefined : { team, slot }
}

/** Multiplier of the runs that a pitcher's side allows. */
export const pitchingFactor = (id: number): number => Math.exp(0.11 * normal("baseball/pitching", id))
