/** The fields of a forecast period that the rules read. */
export interface RiskPeriod {
  /** Whole degrees Fahrenheit. */
  readonly temp_f: number
  readonly precip_pct?: number
  readonly wind_mph_max?: number
  readonly summary: string
}

/** The fields of an alert that the rules read. */
interface RiskAlert {
  readonly event: string
}

interface Rule {
  /** The threshold in words, which the endpoint's schema lists. */
  readonly when?: string
  readonly period?: (period: RiskPeriod) => boolean
  /** Matches a period's summary. */
  readonly summary?: RegExp
  /** Matches the weather service's alert names, old ones included. */
  readonly event?: RegExp
}

/** The rules by flag. A flag is raised by any period or any alert that meets its rule. */
export const rules: Readonly<Record<string, Rule>> = {
  active_alert: { event: /./ },
  air_quality: { event: /air (quality|stagnation)|ashfall|dense smoke|dust/i, summary: /smoke|dust/i },
  extreme_cold: { when: "≤ 0 °F", period: ({ temp_f }) => temp_f <= 0 },
  extreme_heat: { when: "≥ 100 °F", period: ({ temp_f }) => temp_f >= 100 },
  fire_weather: { event: /red flag|fire/i },
  flood: { event: /flood/i },
  freeze: { when: "≤ 32 °F", period: ({ temp_f }) => temp_f <= 32 },
  heavy_precip: { when: "≥ 70 %", period: ({ precip_pct = 0 }) => precip_pct >= 70 },
  high_wind: {
    when: "≥ 40 mph or such an alert",
    period: ({ wind_mph_max = 0 }) => wind_mph_max >= 40,
    // A lake wind advisory has a lower threshold.
    event: /high wind|extreme wind|(?<!lake )wind advisory|hurricane force wind/i,
  },
  thunderstorm: { event: /thunderstorm|tornado/i, summary: /thunderstorm|t-?storm/i },
  tornado: { event: /tornado/i, summary: /tornado/i },
  // A hurricane force wind warning is issued for winter storms at sea.
  tropical: { event: /tropical|typhoon|storm surge|hurricane(?! force)/i, summary: /tropical|hurricane(?! force)/i },
  winter_storm: {
    event: /winter (storm|weather)|blizzard|ice storm|snow squall|lake effect snow|freezing rain/i,
    summary: /blizzard|heavy snow|freezing rain/i,
  },
}

const names = Object.keys(rules).sort()

/** The vocabulary with its thresholds, in one line. */
export const vocabulary: string = names
  .map((name) => (rules[name]!.when === undefined ? name : `${name} (${rules[name]!.when})`))
  .join(", ")

export const findRiskFlags = (
  periods: ReadonlyArray<RiskPeriod>,
  alerts: ReadonlyArray<RiskAlert>,
): ReadonlyArray<string> =>
  names.filter((name) => {
    const { period, summary, event } = rules[name]!
    return (
      alerts.some((alert) => event?.test(alert.event)) ||
      periods.some((each) => period?.(each) === true || summary?.test(each.summary))
    )
  })
