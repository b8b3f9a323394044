import { aligned } from "../compare/aligned.ts"
import type { HorizonResult, Measure, Scores } from "./harness.ts"

const percent = (value: number): string => (100 * value).toFixed(2)

const scoreCells = ({ brier, log, crps, ks, ece, c90, c98 }: Scores): ReadonlyArray<string> => [
  brier.toFixed(5),
  log.toFixed(5),
  crps.toFixed(3),
  ...[ks, ece, c90, c98].map((share) => share.toFixed(4)),
]

/** The results as text: two rows of scores and one of skills in percent (± standard error, 95 % interval) per horizon. */
export const table = (baseline: string, model: string, results: ReadonlyArray<HorizonResult>): string => {
  const head = ["min", "model", "Brier", "log", "CRPS bp", "PIT KS", "ECE", "c90", "c98"]
  const lines = results.flatMap(({ minutes, baseline: before, model: after }) => [
    [String(minutes), baseline, ...scoreCells(before)],
    ["", model, ...scoreCells(after)],
  ])
  const skillOf = ({ skill }: HorizonResult, measure: Measure): string => {
    const { value, low, high, standardError } = skill[measure]
    return `${percent(value)} ±${percent(standardError)} [${percent(low)}, ${percent(high)}]`
  }
  const skills = results.map((result) => [
    String(result.minutes),
    `${result.origins} in ${result.blocks}`,
    skillOf(result, "brier"),
    skillOf(result, "log"),
    skillOf(result, "crps"),
  ])
  const skillHead = ["min", "origins in blocks", "Brier skill %", "log skill %", "CRPS skill %"]
  return `${aligned([head, ...lines], 2)}\n\n${aligned([skillHead, ...skills], 2)}`
}
