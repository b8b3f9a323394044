import type { Estimate } from "../../../core/math/estimate.ts"
import { aligned } from "../compare/aligned.ts"
import { nameOf } from "../compare/seasons.ts"
import type { Bets, Row } from "./baseballScores.ts"
import type { Trained } from "./baseballTraining.ts"

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

/** The backtest as text: all forecasters on identical games, and bets. */
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
  return periods.join("\n\n")
}
