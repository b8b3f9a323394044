import type { ReliabilityBin } from "../../../core/math/reliability.ts"
import { reliabilityPicture } from "../report/pictures.tsx"

interface Calibrated {
  readonly ece: number
  readonly reliability: ReadonlyArray<ReliabilityBin>
}

/** Two models on the same forecasts. */
export interface Panel {
  readonly title: string
  /** Kind and number of the forecasts. */
  readonly cases: string
  readonly baseline: Calibrated
  readonly model: Calibrated
}

/** The reliability of two models as one SVG file, a diagram for each panel. */
export const reliabilityDiagram = (
  event: string,
  baseline: string,
  model: string,
  panels: ReadonlyArray<Panel>,
): string => {
  const calibrationOf = (contender: string, { ece, reliability }: Calibrated) => {
    const forecasts = reliability.reduce((sum, { count }) => sum + count, 0)
    return { contender, forecasts, ece, bins: reliability }
  }
  const parts = panels.map((panel) => {
    const all = [calibrationOf(model, panel.model), calibrationOf(baseline, panel.baseline)]
    return { group: `${panel.title}, ${panel.cases}`, cases: all[0]!.forecasts, reliability: all }
  })
  return reliabilityPicture(`Reliability: ${event}`, event, parts)
}
