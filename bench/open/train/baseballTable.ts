import type { Estimate } from "../../../core/math/estimate.ts"
import { aligned } from "../compare/aligned.ts"
import { nameOf } from "../compare/seasons.ts"
import { modelName } from "../lanes/baseball/task.ts"
import { type Bar, barTable } from "./bars.ts"
import type { Bets, Row } from "./baseballScores.ts"
import { rowNamed, type Trained } from "./baseballTraining.ts"

const number = (value: number, digits = 4): string => value.toFixed(digits).replace(/^(-?)0\./, "$1.")
const withError = ({ value, se }: Estimate, digits = 4): string => `${number(value, digits)} ±${number(se, digits)}`

const rowCells = ({ name, games, brier, brier_against, accuracy }: Row): ReadonlyArray<string> => [
  name,
  String(games),
  withError(brier, 5),
  brier_against === undefined ? "" : withError(brier_against, 5),
  withError(accuracy),
]

const betsLine = ({ bets, wins, losses, hit_rate, units, roi }: Bets): string =>
  `Flat bets at the close: ${bets}, ${wins}-${losses}, hit ${number(hit_rate)}, ${number(units, 1)} units, ROI ${withError(roi)}`

export const barsOf = ({ backtest: { overall, periods } }: Trained): ReadonlyArray<Bar> => [
  { figure: "Brier 2019–21", value: overall.brier_model, must: 0.2395, target: 0.2392, moonshot: 0.2386, leak: 0.2377 },
  {
    figure: "gap to the close 2019–21",
    value: overall.brier_model - overall.brier_market,
    must: 0.0017,
    target: 0.0015,
    leak: 0,
  },
  { figure: "accuracy 2019–21", value: overall.accuracy, must: 0.575, target: 0.583, moonshot: 0.589, rising: true },
  { figure: "ECE 2019–21", value: periods[0].calibration.model.ece, must: 0.008, target: 0.0065 },
  ...periods
    .filter(({ seasons: { from } }) => from === 2022)
    .map(({ rows, seasons }) => ({
      figure: `Brier ${nameOf(seasons)}`,
      value: rowNamed(rows, modelName).brier.value,
      must: 0.2413,
      target: 0.241,
    })),
]

/** The backtest as text: all forecasters on identical games, bets and bars. */
export const table = (trained: Trained): string => {
  const periods = trained.backtest.periods.map((period) => {
    const title = nameOf(period.seasons)
    const head = [title, "games", "Brier", `against ${period.against}`, "accuracy"]
    const rows = [...period.rows, ...(period.opening ? [period.opening] : [])]
    return [
      aligned([head, ...rows.map(rowCells)]),
      ...(period.bets ? [betsLine(period.bets)] : []),
      `Expected calibration error ${number(period.calibration.model.ece)}`,
    ].join("\n")
  })
  return [...periods, barTable(barsOf(trained), number)].join("\n\n")
}
