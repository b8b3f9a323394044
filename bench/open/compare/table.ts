import type { Interval } from "../../../core/math/bootstrap.ts"
import { plural } from "../../../core/text.ts"
import { aligned } from "./aligned.ts"
import { type Compared, type Comparison, type Difference, levels, type Part } from "./compare.ts"

/** A number with as many decimals as its size needs. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return "–"
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : size >= 0.01 ? 4 : 5)
}

/** A difference with its sign. */
export const signedFigure = (value: number): string => (value > 0 ? `+${figure(value)}` : figure(value))

/** An interval, with figures in that form; a dash where there is none. */
export const span = ({ low, high }: Interval, text = figure): string =>
  Number.isFinite(low) ? `${text(low)} … ${text(high)}` : "–"

/** Who is better, in words; the interval decides. */
export const verdict = ({ better, of }: Difference): string =>
  better === undefined ? "no difference shown" : better === of ? "better" : "worse"

const rowsOf = ({
  measure,
  unit,
  rows,
  clusters,
  scores,
  differences,
}: Compared): ReadonlyArray<ReadonlyArray<string>> =>
  scores.map((score, at) => {
    const difference = at === 0 ? undefined : differences[at - 1]
    return [
      at === 0 ? `${measure}${unit === "" ? "" : `, ${unit}`}` : "",
      score.contender,
      at === 0 ? String(rows) : "",
      at === 0 ? String(clusters) : "",
      figure(score.value),
      span(score),
      difference === undefined ? "" : signedFigure(difference.value),
      difference === undefined ? "" : span(difference, signedFigure),
      difference === undefined ? "" : verdict(difference),
    ]
  })

const head = ["score", "forecasts by", "rows", "clusters", "mean", "95 %", "first − this", "95 %", "the first is"]

/** A share in per cent. */
export const share = (value: number): string => `${(100 * value).toFixed(1)} %`

const textOf = ({ group, cases, measures, reliability, transforms }: Part): string =>
  [
    `${group}: ${plural(cases, "question")}`,
    aligned([head, ...measures.filter(({ scores }) => scores.length > 0).flatMap(rowsOf)]),
    ...(reliability.length === 0
      ? []
      : [`Calibration error: ${reliability.map(({ contender, ece }) => `${contender} ${figure(ece)}`).join(", ")}`]),
    ...transforms.map(
      ({ contender, pit, coverage }) =>
        `Outcomes in the laws of ${contender}: ${levels.map((level, at) => `${share(coverage[at]!)} within the central ${100 * level} %`).join(", ")}; by tenth (PIT) ${pit.map(share).join(", ")}`,
    ),
  ].join("\n")

/** The comparison as text. Lower is better but where a score says otherwise. */
export const table = ({ lane, inputs, bootstrap, contenders, cases, parts }: Comparison): string =>
  [
    [
      `${lane}, ${plural(cases, "question")}`,
      ...inputs.map(({ name, sha256, rows }) => `${name}: ${plural(rows, "row")}, sha256 ${sha256}`),
      ...contenders.map(
        ({ kind, name, version, answered }) =>
          `${kind}: ${name}${version === undefined || version === name ? "" : ` ${version}`}, ${plural(answered, "forecast")}`,
      ),
      `Intervals: cluster bootstrap, ${bootstrap.replicates} rounds, seed ${bootstrap.seed}.`,
    ].join("\n"),
    ...parts.filter(({ cases: own }) => own > 0).map(textOf),
  ].join("\n\n")
