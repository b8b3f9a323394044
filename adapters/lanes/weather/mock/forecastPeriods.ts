import { offsetsOver } from "../../../../core/lanes/weather/forecast/localTime.ts"
import type { Period } from "../../../../core/lanes/weather/forecast/periods.ts"
import { day, hour } from "../../../../core/time.ts"
import type { Hour } from "./outlook.ts"
import type { Spot } from "./spot.ts"

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

/** In the words of the weather service: slight chance from 15 %, chance from 25 %, likely from 55 %, no word from 75 %. */
const wordsOf = ({ precipPct, falls, clouds }: Hour, isDay: boolean): string => {
  if (precipPct >= 75) return falls
  if (precipPct >= 55) return `${falls} Likely`
  if (precipPct >= 25) return `Chance ${falls}`
  if (precipPct >= 15) return `Slight Chance ${falls}`
  const [clear, few, many] = isDay
    ? ["Sunny", "Mostly Sunny", "Partly Sunny"]
    : ["Clear", "Mostly Clear", "Partly Cloudy"]
  return clouds < 0.4 ? clear! : clouds < 0.75 ? few! : many!
}

const periodOf = (hours: ReadonlyArray<Hour>, isDay: boolean, name: string, endsAt: number): Period => {
  const wettest = hours.reduce((a, b) => (b.precipPct > a.precipPct ? b : a))
  const windiest = hours.reduce((a, b) => (b.windMph > a.windMph ? b : a))
  const temps = hours.map(({ tempF }) => tempF)
  return {
    startsAt: hours[0]!.at,
    endsAt,
    name,
    is_day: isDay,
    temp_f: Math.round(isDay ? Math.max(...temps) : Math.min(...temps)),
    precip_pct: wettest.precipPct,
    wind_mph_max: windiest.windMph,
    wind_dir: windiest.windDir,
    summary: wordsOf(wettest, isDay),
  }
}

const isDayAt = (at: number, offset: number): boolean => {
  const clockHour = new Date(at + offset).getUTCHours()
  return clockHour >= 6 && clockHour < 18
}

/** Days since the epoch as a clock counts them. */
const dayNumber = (at: number, offset: number): number => Math.floor((at + offset) / day)

/** Offices' names: the rest of the first night or day, then days of the week. */
const nameOf = (startsAt: number, offset: number, isDay: boolean, isFirst: boolean, firstDay: number): string => {
  const local = new Date(startsAt + offset)
  const start = local.getUTCHours()
  if (isFirst && isDay) return start < 12 ? "Today" : "This Afternoon"
  if (isFirst && start < 6) return "Overnight"
  const sameDay = dayNumber(startsAt, offset) === firstDay
  if (!isDay && sameDay) return "Tonight"
  const weekday = weekdays[local.getUTCDay()]!
  return isDay ? (sameDay ? "Today" : weekday) : `${weekday} Night`
}

export const hourlyPeriods = ({ zone }: Spot, hours: ReadonlyArray<Hour>): ReadonlyArray<Period> => {
  const offset = offsetsOver(zone, hours[0]!.at, hours.at(-1)!.at)
  return hours.map((each) => periodOf([each], isDayAt(each.at, offset(each.at)), "", each.at + hour))
}

/** Days from six to six, and the nights between them; the first one begins with the first hour. */
export const halfDayPeriods = ({ zone }: Spot, hours: ReadonlyArray<Hour>): ReadonlyArray<Period> => {
  const offset = offsetsOver(zone, hours[0]!.at, hours.at(-1)!.at)
  const firstDay = dayNumber(hours[0]!.at, offset(hours[0]!.at))
  const periods: Array<Period> = []
  let begun: Array<Hour> = []
  for (const each of hours) {
    const [first] = begun
    const isDay = first !== undefined && isDayAt(first.at, offset(first.at))
    if (first !== undefined && isDayAt(each.at, offset(each.at)) !== isDay) {
      const name = nameOf(first.at, offset(first.at), isDay, periods.length === 0, firstDay)
      periods.push(periodOf(begun, isDay, name, each.at))
      begun = []
    }
    begun.push(each)
  }
  // Incomplete periods are dropped.
  return periods
}
