import { count } from "../../../core/text.ts"
import type { Mark, Picture } from "../view/plot.tsx"

/** A bin of forecasts. One without forecasts has no numbers. */
export interface Bin {
  readonly count: number
  readonly mean?: number | undefined
  readonly frequency?: number | undefined
  /** The 95 % band of the frequency. */
  readonly low?: number | undefined
  readonly high?: number | undefined
}

/** A forecaster: its name and its class in the style sheet. */
export interface Forecaster {
  readonly name: string
  readonly as: string
  readonly bins: ReadonlyArray<Bin>
}

const quarters = [0, 0.25, 0.5, 0.75, 1]
const share = (p: number): string => `${Math.round(100 * p)} %`

/**
 * Observed frequency over probability given, and below it the number of forecasts: perfect calibration is the diagonal. The
 * first forecaster is on top.
 *
 * @param least bins with fewer forecasts are drawn faint and not joined
 */
export const reliability = (
  forecasters: ReadonlyArray<Forecaster>,
  things: string,
  least = 1,
): Pick<Picture, "x" | "y" | "marks" | "height" | "isSquare" | "below" | "columns" | "rows"> => {
  const bins = forecasters[0]?.bins.length ?? 0
  const curves = forecasters.flatMap(({ name, as, bins }, who): ReadonlyArray<Mark> => {
    const points = bins.flatMap(({ count: n, mean = Number.NaN, frequency = Number.NaN, low, high }) =>
      n === 0 ? [] : [{ n, mean, frequency, low, high }],
    )
    const dots = (some: typeof points) => some.map(({ mean, frequency }) => [mean, frequency] as const)
    const many = points.filter(({ n }) => n >= least)
    // Bands of all of them would hide each other.
    const band = many.flatMap(({ mean, low, high }) =>
      low === undefined || high === undefined ? [] : [[mean, low, high] as const],
    )
    return [
      ...(who > 0 || band.length === 0 ? [] : [{ kind: "area", as, rows: band } as const]),
      { kind: "line", as, rows: dots(many) },
      { kind: "dot", as: `${as} faint`, rows: dots(points.filter(({ n }) => n < least)) },
      { kind: "dot", as, name, rows: dots(many) },
    ]
  })
  const wide = 0.8 / Math.max(1, bins) / forecasters.length
  return {
    x: { domain: [0, 1], ticks: quarters, show: share, name: "probability given" },
    y: { domain: [0, 1], ticks: quarters, show: share, name: "came true" },
    height: 360,
    isSquare: true,
    marks: [
      {
        kind: "line",
        as: "perfect",
        rows: [
          [0, 0],
          [1, 1],
        ],
      },
      ...curves.reverse(),
    ],
    below: {
      y: { name: `${things} per bin` },
      marks: forecasters.map(({ as, bins: own }, who) => ({
        ...{ kind: "bar", as, width: 0.9 * wide },
        rows: own.map(({ count: n }, at) => [(at + 0.5) / bins + (who - (forecasters.length - 1) / 2) * wide, 0, n]),
      })),
    },
    columns: ["Given", ...forecasters.map(({ name }) => ({ name, isNumber: true }))],
    rows: Array.from({ length: bins }, (_, at) => ({
      at: (at + 0.5) / bins,
      cells: [
        `${share(at / bins)} to ${share((at + 1) / bins)}`,
        ...forecasters.map(({ bins: own }) => {
          const { count: n, frequency, low, high } = own[at]!
          if (n === 0 || frequency === undefined) return "–"
          const band = low === undefined || high === undefined ? "" : ` (${share(low)} to ${share(high)})`
          return `${share(frequency)} of ${count(n)}${band}`
        }),
      ],
    })),
  }
}
