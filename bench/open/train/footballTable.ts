import type { ClusteredEstimate } from "../../../core/math/clusters.ts"
import type { Estimate } from "../../../core/math/estimate.ts"
import { aligned } from "../compare/aligned.ts"
import { nameOf } from "../compare/seasons.ts"
import { modelName } from "../lanes/football/models.ts"
import { closeName } from "../lanes/football/task.ts"
import { type Bar, barTable } from "./bars.ts"
import type { Row } from "./footballScores.ts"
import { rowNamed, type Trained } from "./footballTraining.ts"

const barsOf = ({ backtest, backtest_holdout: held }: Trained): ReadonlyArray<Bar> => {
  const { calibration } = backtest[0]!
  const recent = backtest.at(-1)!.rows
  const model = rowNamed(recent, modelName)
  const close = rowNamed(recent, closeName)
  const off = Math.abs(Math.log(calibration.z_sd))
  return [
    {
      figure: "holdout spread MAE",
      value: held.spread.mae_model,
      must: 10.15,
      target: 10.05,
      moonshot: 9.85,
      leak: 9.7,
    },
    {
      figure: "holdout SU accuracy",
      value: held.spread.su_accuracy_model,
      must: 0.655,
      target: 0.668,
      moonshot: 0.68,
      leak: 0.7,
      rising: true,
    },
    {
      figure: "holdout total MAE",
      value: held.total.mae_model,
      must: 10.22,
      target: 10.14,
      moonshot: 10.05,
      leak: 9.95,
    },
    {
      figure: "holdout Brier",
      value: held.moneyline.brier_model_wp,
      must: 0.219,
      target: 0.2168,
      moonshot: 0.211,
      leak: 0.206,
    },
    {
      figure: "2015–23 spread MAE",
      value: model.mae.value,
      must: 10.12,
      target: 10.03,
      moonshot: 9.95,
      leak: close.mae.value,
    },
    {
      figure: "2015–23 Brier",
      value: model.brier!.value,
      must: 0.2205,
      target: 0.2188,
      moonshot: 0.2165,
      leak: close.brier!.value,
    },
    {
      figure: "2015–23 total MAE",
      value: model.total_mae!.value,
      must: 10.77,
      target: 10.68,
      moonshot: 10.6,
      leak: close.total_mae!.value,
    },
    { figure: "holdout |ln sd of z|", value: off, must: Math.log(1.06), target: Math.log(1.03) },
    { figure: "holdout ECE", value: calibration.ece, must: 0.07, target: 0.055 },
  ]
}

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

/** The training result as text: all rows, calibration, and the bars reached. */
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
  return [...periods, barTable(barsOf(trained), number)].join("\n\n")
}
