import { day, hour } from "../../time.ts"
import { probabilityScale } from "./calibration.ts"

/** A part of a division: its position among the parts, and its name. */
export type Label = readonly [place: number, name: string]

const among = (value: number, bounds: ReadonlyArray<number>): number => {
  let place = 0
  while (place < bounds.length && value >= bounds[place]!) place++
  return place
}

const rangeName = (place: number, bounds: ReadonlyArray<number>, unit: string): string => {
  const [from, to] = [bounds[place - 1], bounds[place]]
  return `${from === undefined ? `below ${to}` : to === undefined ? `${from} and more` : `${from} to ${to}`}${unit}`
}

/**
 * The part of a number between bounds: "below 3", "3 to 5", "5 and more".
 *
 * @param bounds rising; a bound belongs to the part above it
 */
export const between = (value: number, bounds: ReadonlyArray<number>, unit = ""): Label => {
  const position = among(value, bounds)
  return [position, rangeName(position, bounds, unit)]
}

/** The parts of a division in order, and which of them a row belongs to. */
export interface Division<Row> {
  readonly parts: ReadonlyArray<string>
  readonly placeOf: (row: Row) => number
}

export const partLabel = <Row>({ parts, placeOf }: Division<Row>, row: Row): Label => {
  const position = placeOf(row)
  return [position, parts[position]!]
}

const ranges = <Row>(of: (row: Row) => number, bounds: ReadonlyArray<number>, unit = ""): Division<Row> => ({
  parts: [...bounds, Number.NaN].map((_, place) => rangeName(place, bounds, unit)),
  placeOf: (row) => among(of(row), bounds),
})

const months = "January February March April May June July August September October November December"

/** By calendar month in UTC, all years together. */
export const byMonth: Division<number> = { parts: months.split(" "), placeOf: (at) => new Date(at).getUTCMonth() }

/** By the hour of an instant in UTC. */
export const byHour: Division<number> = {
  parts: Array.from({ length: 24 }, (_, place) => `${String(place).padStart(2, "0")}:00 UTC`),
  placeOf: (at) => Math.floor((at % day) / hour),
}

/** Lead: time from capture to close. A boundary belongs to the longer lead. */
export const leads = [
  { name: "over_24h", from: day },
  { name: "6_to_24h", from: 6 * hour },
  { name: "1_to_6h", from: hour },
  { name: "under_1h", from: 0 },
] as const
export type Lead = (typeof leads)[number]["name"]

export const leadName = (millis: number): Lead | undefined => leads.find(({ from }) => millis >= from)?.name

/** The values by which contracts are divided: probabilities in millionths, times in epoch milliseconds. */
interface Divided {
  readonly model: number
  readonly market: number
  readonly capturedAt: number
  readonly closeTime: number
}

/** How settled contracts are divided, on the scoreboard and in the open bench. */
export const divisions = {
  edge: ranges<Divided>(({ model, market }) => Math.abs(model - market) / probabilityScale, [0.05, 0.1, 0.2]),
  lead: ranges<Divided>(({ capturedAt, closeTime }) => (closeTime - capturedAt) / hour, [1, 6, 24], " hours"),
  month: { ...byMonth, placeOf: ({ capturedAt }: Divided) => byMonth.placeOf(capturedAt) },
  hour: { ...byHour, placeOf: ({ closeTime }: Divided) => byHour.placeOf(closeTime) },
} as const
export type DivisionName = keyof typeof divisions
export const divisionNames = Object.keys(divisions) as ReadonlyArray<DivisionName>

/** Where the parts of each division begin in a list of all parts, and how many there are. */
const ends = divisionNames.map((_, at) =>
  divisionNames.slice(0, at + 1).reduce((sum, name) => sum + divisions[name].parts.length, 0),
)
export const firstParts = Object.fromEntries(divisionNames.map((name, at) => [name, ends[at - 1] ?? 0])) as Readonly<
  Record<DivisionName, number>
>
export const partCount: number = ends.at(-1)!
