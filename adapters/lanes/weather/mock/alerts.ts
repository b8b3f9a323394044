import type { Alert } from "../../../../core/lanes/weather/forecast/alerts.ts"
import { climateDay, climateDayStart } from "../../../../core/lanes/weather/stations.ts"
import { addDays, hour, iso } from "../../../../core/time.ts"
import { uniform } from "../../mock/hash.ts"
import { dailyExtremes } from "./climate.ts"
import { type DayTruth, drawTruth } from "./outlook.ts"
import type { Spot } from "./spot.ts"

interface Day extends DayTruth {
  readonly highF: number
  readonly lowF: number
  /** Degrees of latitude of the nearest station. */
  readonly lat: number
}

/** An event, its severity and certainty, its condition, and the percentage of such cases with a warning. */
type Hazard = readonly [
  event: string,
  severity: Alert["severity"],
  certainty: Alert["certainty"],
  urgency: Alert["urgency"],
  percent: number,
  when: (day: Day) => boolean,
]

const snows = ({ inches, lowF }: Day): boolean => inches > 0 && lowF <= 30
const thunders = ({ inches, highF }: Day): boolean => inches > 0.1 && highF >= 72

const hazards: ReadonlyArray<Hazard> = [
  ["Extreme Heat Warning", "Severe", "Likely", "Expected", 100, ({ highF }) => highF >= 103],
  ["Heat Advisory", "Moderate", "Likely", "Expected", 60, ({ highF }) => highF >= 97 && highF < 103],
  ["Extreme Cold Warning", "Severe", "Likely", "Expected", 100, ({ lowF }) => lowF <= -5],
  ["High Wind Warning", "Severe", "Likely", "Expected", 100, ({ windMph }) => windMph >= 40],
  ["Wind Advisory", "Moderate", "Likely", "Expected", 80, ({ windMph }) => windMph >= 30 && windMph < 40],
  ["Winter Storm Warning", "Severe", "Likely", "Expected", 90, (day) => snows(day) && day.inches >= 0.5],
  ["Winter Weather Advisory", "Moderate", "Likely", "Expected", 40, (day) => snows(day) && day.inches < 0.5],
  ["Flash Flood Warning", "Severe", "Observed", "Immediate", 50, (day) => day.inches >= 1.3 && thunders(day)],
  ["Severe Thunderstorm Watch", "Severe", "Possible", "Future", 20, thunders],
  ["Tornado Warning", "Extreme", "Observed", "Immediate", 3, thunders],
  ["Hurricane Watch", "Extreme", "Possible", "Future", 2, ({ lat, highF }) => lat < 33 && highF >= 85],
  ["Red Flag Warning", "Severe", "Likely", "Expected", 10, ({ inches, windMph }) => inches === 0 && windMph >= 20],
  ["Air Quality Alert", "Unknown", "Unknown", "Unknown", 15, ({ inches, highF }) => inches === 0 && highF >= 86],
]

/** Other entries of a list: tests and cancelled warnings. */
const noise: ReadonlyArray<readonly [event: string, percent: number, status: string, messageType: string]> = [
  ["Test Message", 4, "Test", "Alert"],
  ["Wind Advisory", 3, "Actual", "Cancel"],
]

const spotDay = (spot: Spot, on: string): Day => {
  const { highF, lowF } = dailyExtremes(spot.station, on)
  const { lat } = spot.station.coordinates
  return { ...drawTruth(spot, on), highF: highF + spot.warmerF, lowF: lowF + spot.warmerF, lat }
}

/** Issued at four in the morning, in force from nine to midnight, in local standard time. */
const drawAlert = (
  spot: Spot,
  on: string,
  [event, severity, certainty, urgency]: readonly [string, string, string, string],
  status: string,
  messageType: string,
): Alert => {
  const start = climateDayStart(spot.station, on) - spot.shift
  const isoAfter = (hours: number): string => iso(start + hours * hour)
  const slug = event.toLowerCase().replaceAll(" ", "-")
  return {
    id: `mock-${spot.office.id}-${on}-${slug}-${messageType.toLowerCase()}`,
    event,
    severity,
    certainty,
    urgency,
    headline: `${event} for ${spot.office.town} on ${on}, issued by the mock office`,
    area_desc: spot.office.town,
    effective: isoAfter(4),
    onset: isoAfter(9),
    expires: isoAfter(22),
    ends: isoAfter(24),
    sender_name: `Mock office ${spot.office.id}`,
    description: `Generated: conditions for a ${event} are expected. This is no warning of any weather service.`,
    instruction: "None: this is generated data.",
    status,
    message_type: messageType,
  }
}

/** A mock office's list at an instant: the day's alerts so far, including past and invalid ones. */
export const alertsAt = (spot: Spot, now: number): ReadonlyArray<Alert> => {
  const on = climateDay(spot.station, now + spot.shift)
  return [addDays(on, -1), on].flatMap((each) => {
    const day = spotDay(spot, each)
    const draw = (what: string): number => 100 * uniform(spot.station.id, each, what)
    return [
      ...hazards
        .filter(([event, , , , percent, when]) => when(day) && draw(event) < percent)
        .map(([event, severity, certainty, urgency]) =>
          drawAlert(spot, each, [event, severity, certainty, urgency], "Actual", "Alert"),
        ),
      ...noise
        .filter(([event, percent, status]) => draw(`${event}/${status}`) < percent)
        .map(([event, , status, messageType]) =>
          drawAlert(spot, each, [event, "Minor", "Unknown", "Unknown"], status, messageType),
        ),
    ].filter(({ effective }) => Date.parse(effective) <= now)
  })
}
