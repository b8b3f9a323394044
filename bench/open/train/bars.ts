import { aligned } from "../compare/aligned.ts"

/** A figure, its bars, and a value that only leaked results could reach. */
export interface Bar {
  readonly figure: string
  readonly value: number
  readonly must: number
  readonly target: number
  readonly moonshot?: number
  readonly leak?: number
  /** Whether higher is better. */
  readonly rising?: boolean
}

/** The best bar that a figure reaches. */
export const verdictOf = ({ value, must, target, moonshot, leak, rising = false }: Bar): string => {
  const reaches = (mark: number | undefined) => mark !== undefined && (rising ? value >= mark : value <= mark)
  if (reaches(leak)) return "LEAK?"
  return reaches(moonshot) ? "MOONSHOT" : reaches(target) ? "TARGET" : reaches(must) ? "MUST" : "MISSED"
}

/** The bars as text. */
export const barTable = (bars: ReadonlyArray<Bar>, number: (value: number) => string): string =>
  aligned([
    ["bar", "value", "must", "target", "moonshot", "reached"],
    ...bars.map((bar) => [
      bar.figure,
      ...[bar.value, bar.must, bar.target].map((value) => number(value)),
      bar.moonshot === undefined ? "" : number(bar.moonshot),
      verdictOf(bar),
    ]),
  ])
