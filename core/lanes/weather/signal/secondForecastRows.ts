import { ifDefined } from "../../../ifDefined.ts"
import { iso } from "../../../time.ts"
import type { Signal } from "../fields.ts"
import { guidanceSources, sourceTitles } from "../guidance/Guidance.ts"
import { computePercentiles } from "../guidance/percentiles.ts"
import { getSourceWeight } from "../guidance/stack.ts"
import { leadBucket, meanGain } from "./calibration.ts"
import type { Outlook, OutlookInputs } from "./outlook.ts"
import { leadDays, variables } from "./temperature.ts"

export const listSecondForecasts = (
  { guidance = [] }: OutlookInputs,
  { calibration: { sources = [], state } }: Outlook,
): NonNullable<Signal["second_forecasts"]> =>
  guidanceSources.flatMap((source, index) => {
    const rows = guidance.filter((each) => each.source === source)
    const [high, low] = (["high", "low"] as const).map((variable) => rows.find((each) => each.variable === variable))
    const newest = rows.reduce((latest, { issuedAt }) => Math.max(latest, issuedAt), 0)
    return rows.length === 0
      ? []
      : [
          {
            source: sourceTitles[source],
            issued_at: iso(newest),
            ...ifDefined("high_f", high?.tempF),
            ...ifDefined("low_f", low?.tempF),
            weight: sources.includes(source) && state.stack !== undefined ? getSourceWeight(state.stack, index) : 0,
          },
        ]
  })

const toPercentileRow = ([p10 = 0, p25 = 0, p50 = 0, p75 = 0, p90 = 0]: ReadonlyArray<number>) => ({
  p10_f: p10,
  p25_f: p25,
  p50_f: p50,
  p75_f: p75,
  p90_f: p90,
})

/** Our distribution and the blend's as percentiles, with both CRPS on earlier days; undefined without the blend's. */
export const listPercentiles = (inputs: OutlookInputs, result: Outlook): Signal["percentiles"] => {
  const { station, day, now, states, guidance = [] } = inputs
  const rows = variables.flatMap((variable) => {
    const blend = guidance.find((each) => each.variable === variable && each.percentilesF !== undefined)
    if (blend?.percentilesF === undefined) return []
    const { degrees, centre, sigma } = result[variable]
    const { state } = states[variable][leadBucket(leadDays(station, variable, day, now))]!
    const [ownCrps, crpsDifference] = (state.percentiles ?? []).map((gain) => meanGain({ gain })?.estimate)
    return [
      {
        variable,
        source: "This model",
        mean_f: centre,
        sigma_f: sigma,
        ...toPercentileRow(computePercentiles(degrees.first, degrees.ge)),
        ...ifDefined("crps", ownCrps),
      },
      {
        variable,
        source: sourceTitles[blend.source],
        issued_at: iso(blend.issuedAt),
        mean_f: blend.tempF,
        ...ifDefined("sigma_f", blend.sigmaF),
        ...toPercentileRow(blend.percentilesF),
        ...(ownCrps !== undefined && crpsDifference !== undefined && { crps: ownCrps - crpsDifference }),
      },
    ]
  })
  return rows.length === 0 ? undefined : rows
}
