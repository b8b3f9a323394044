import { baseballDay } from "./baseball.ts"
import { cryptoDay } from "./crypto.ts"
import { type Day, type Row, usd } from "./Day.ts"
import { footballDay } from "./football.ts"
import { weatherDay } from "./weather.ts"

const cents = (value: number): string => value.toFixed(2).replace("-", "−")

const header = ["Contract", "Model", "Price", "Pool", "Side", "Cost", "Expected gain", "Came", "Gained"]

const gained = ({ side, result, cost }: Row): number => (side === result ? 1 : 0) - cost

const cellsOf = (row: Row): ReadonlyArray<string> => [
  ...[row.contract, cents(row.model), cents(row.price), cents(row.pooled), row.side, cents(row.cost), cents(row.gain)],
  ...[row.result, cents(gained(row))],
]

const tableOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  [header, header.map((_, at) => (at === 0 ? "---" : "---:")), ...rows.map(cellsOf)].map(
    (cells) => `| ${cells.join(" | ")} |`,
  )

/** The least difference at which the board lists a contract by itself. */
const least = 0.05

const endedOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const recommended = rows.filter(({ gain }) => gain > 0)
  const bought = rows.filter(({ model, price }) => Math.abs(model - price) >= least)
  const sum = (of: (row: Row) => number): string => usd(bought.reduce((total, row) => total + of(row), 0))
  return [
    recommended.length === 0
      ? "Recommended: nothing, as no expected gain is above 0."
      : `Recommended: ${recommended.map(({ contract, side }) => `${side} on ${contract}`).join(", ")}.`,
    `Whoever had bought where the model alone differs by ${least} or more: ${bought.length} of ${rows.length} contracts, one each, for ${sum(({ cost }) => cost)} with fees; they paid ${sum((row) => gained(row) + row.cost)}, a gain of ${sum(gained)}.`,
  ]
}

const textOf = ({ heading, told, rows, ended }: Day): string =>
  [
    `### ${heading}`,
    "",
    told,
    "",
    ...(rows.length === 0 ? [] : [...tableOf(rows), ""]),
    ...[...ended, ...(rows.length === 0 ? [] : endedOf(rows))].map((line) => `- ${line}`),
  ].join("\n")

const lanes = { weather: weatherDay, football: footballDay, baseball: baseballDay, crypto: cryptoDay }

/** A day of each lane over recorded data, as Markdown. */
export const tradersDay = async (root: string): Promise<string> => {
  const days: Array<string> = []
  for (const dayOf of Object.values(lanes)) days.push(textOf(await dayOf(root)))
  return days.join("\n\n")
}
