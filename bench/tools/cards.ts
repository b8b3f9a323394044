import { readFileSync } from "node:fs"

interface Estimate {
  readonly value: number
  readonly se: number
}

interface Period<Row> {
  readonly seasons: { readonly from: number; readonly to: number }
  readonly rows: ReadonlyArray<Row>
}

interface Model<Row> {
  readonly model_version: string
  readonly trained_at: string
  readonly inputs: ReadonlyArray<{ readonly name: string; readonly sha256: string }>
  readonly backtest: Row
}

const modelAt = <A>(path: string): Model<A> =>
  JSON.parse(readFileSync(new URL(`../../core/lanes/${path}/model.json`, import.meta.url), "utf8"))

const cell = (estimate: Estimate | undefined, digits: number): string =>
  estimate === undefined ? "" : `${estimate.value.toFixed(digits)} ± ${estimate.se.toFixed(digits)}`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const heading = ({ model_version, trained_at, inputs }: Model<unknown>): string =>
  `Served model \`${model_version}\`, fitted ${trained_at} on ${inputs.length} files, whose names and digests are in the model's file. Figures are from that file: means ± standard errors.`

interface FootballRow {
  readonly name: string
  readonly games: number
  readonly mae: Estimate
  readonly total_mae?: Estimate
  readonly su_accuracy: Estimate
  readonly brier?: Estimate
}

/** The football model's figures. */
export const football = (): string => {
  const model = modelAt<ReadonlyArray<Period<FootballRow>>>("football/model")
  return [
    heading(model),
    ...model.backtest.map(({ seasons: { from, to }, rows }) =>
      [
        `Seasons ${from}–${to}:`,
        "",
        table(
          ["", "games", "spread off by, points", "total off by, points", "winners named", "Brier score"],
          rows.map(({ name, games, mae, total_mae, su_accuracy, brier }) => [
            name,
            String(games),
            cell(mae, 2),
            cell(total_mae, 2),
            cell(su_accuracy, 3),
            cell(brier, 4),
          ]),
        ),
      ].join("\n"),
    ),
  ].join("\n\n")
}

interface BaseballRow {
  readonly name: string
  readonly games: number
  readonly brier: Estimate
  readonly brier_against: Estimate
  readonly accuracy: Estimate
}

/** The baseball model's figures. */
export const baseball = (): string => {
  const model = modelAt<{ readonly periods: ReadonlyArray<Period<BaseballRow> & { readonly against: string }> }>(
    "baseball",
  )
  return [
    heading(model),
    ...model.backtest.periods.map(({ seasons: { from, to }, against, rows }) =>
      [
        `Seasons ${from}–${to}:`,
        "",
        table(
          ["", "games", "Brier score", `Brier score less that of ${against}`, "winners named"],
          rows.map(({ name, games, brier, brier_against, accuracy }) => [
            name,
            String(games),
            cell(brier, 5),
            cell(brier_against, 5),
            cell(accuracy, 3),
          ]),
        ),
      ].join("\n"),
    ),
  ].join("\n\n")
}
