import type { ClusteredEstimate } from "../../../core/math/clusters.ts"
import type { Estimate } from "../../../core/math/estimate.ts"
import { aligned } from "../compare/aligned.ts"
import { nameOf } from "../compare/seasons.ts"
import type { Row } from "./footballScores.ts"
import type { Trained } from "./footballTraining.ts"

const number = (value: number | undefined): string => (value === undefined ? "" : value.toFixed(4))

const withError = (estimate: Estimate | undefined): string =>
  estimate === undefined ? "" : `${number(estimate.value)} ±${number(estimate.se)}`

const head = ["model", "games", "MAE", "to close", "RMSE", "SU", "Brier", "to close", "total MAE", "to close"]

const cells = (row: Row): ReadonlyArray<string> => [
  row.name,
  String(row.games),
  withError(row.mae),
  withError(row.mae_close),
  number(row.rmse),
  withError(row.su_accuracy),
  withError(row.brier),
  withError(row.brier_close),
  withError(row.total_mae),
  withError(row.total_mae_close),
]

const withInterval = ({ value, low, high }: ClusteredEstimate): string =>
  `${number(value)} [${number(low)}, ${number(high)}]`

const laddersText = ({ total, margins, totals }: Trained["backtest"][number]["ladders"]): string =>
  [
    `Totals: sd of z ${number(total.z_sd)}, within 50 % ${number(total.within_50)}, 80 % ${number(total.within_80)}; log score ${number(total.log_discrete)}, plain normal ${number(total.log_normal)}`,
    ...Object.entries({ margins, totals }).map(
      ([what, { strikes, brier, brier_normal, to_close }]) =>
        `Strikes on ${what}, ${strikes.from} to ${strikes.to}: Brier ${withInterval(brier)}, plain normal ${number(brier_normal.value)}, to the close ${withInterval(to_close)}`,
    ),
  ].join("\n")

/** The training result as text: all rows and calibration. */
export const table = (trained: Trained): string => {
  const periods = trained.backtest.map(
    ({ seasons, rows, paired_to_elo, calibration, against_close: against, ladders }) =>
      [
        `Seasons ${nameOf(seasons)}`,
        aligned([head, ...rows.map(cells)]),
        `MAE to Elo ${withError(paired_to_elo)}; sd of z ${number(calibration.z_sd)}, within 50 % ${number(calibration.within_50)}, 80 % ${number(calibration.within_80)}; log score ${number(calibration.log_discrete)}, plain normal ${number(calibration.log_normal)}; ECE ${number(calibration.ece)}`,
        laddersText(ladders),
        `Against the close: slope ${withInterval(against.slope)}, ATS ${withInterval(against.ats_hit)}, over/under ${withInterval(against.over_under_hit)} (breakeven ${number(trained.backtest_holdout.spread.ats_breakeven)})`,
        ...against.by_edge.map(
          ({ from, to, wins, losses, pushes, hit }) =>
            `Edge of ${to === undefined ? `${from} and more` : `${from} to ${to}`}: ${wins}–${losses}–${pushes}, ${withInterval(hit)}`,
        ),
      ].join("\n"),
  )
  return periods.join("\n\n")
}
