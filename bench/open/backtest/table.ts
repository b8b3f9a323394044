import type { HorizonResult, Measure, Scores } from "./harness.ts"

const row = (cells: ReadonlyArray<string>, widths: ReadonlyArray<number>): string =>
  cells.map((cell, at) => (at < 2 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join("  ")

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
  const widths = head.map((title, at) => Math.max(title.length, ...lines.map((cells) => cells[at]!.length)))
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
  const skillWidths = skillHead.map((title, at) => Math.max(title.length, ...skills.map((cells) => cells[at]!.length)))
  return [row(head, widths), ...lines.map((cells) => row(cells, widths)), "", row(skillHead, skillWidths)]
    .concat(skills.map((cells) => row(cells, skillWidths)))
    .join("\n")
}
