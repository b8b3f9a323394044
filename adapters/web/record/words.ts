import * as Subject from "../../../core/call/Subject.ts"
import { parseTickerDay } from "../../../core/contracts/tickers.ts"
import { cityName } from "../../../core/lanes/weather/stations.ts"
import { nickname, teamName } from "../pictures/teams.ts"
import { dayText, timeText } from "../view/dates.ts"

/** Terms of a contract in a leaf or a settled row, as its venue states them. */
export interface Terms {
  readonly series: string
  readonly event: string
  readonly ticker: string
  readonly strikeType?: string | undefined
  readonly floorStrike?: number | undefined
  readonly capStrike?: number | undefined
}

/** Numbers of a venue, and of the tails of tickers: `52`, `62,000`. */
const plain = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 4 })

const isTemperature = ({ series }: Terms): boolean => /^KX(HIGH|LOW)/.test(series)

const unitOf = (terms: Terms): string =>
  isTemperature(terms) ? " °F" : /^KX(BTC|ETH|SOL)/.test(terms.series) ? " USD" : ""

/** A team as games name it: by its nickname. */
const toTeam = (isBaseball: boolean, code: string): string => nickname(teamName(isBaseball ? "mlb" : "nfl", code))

/** The value that is compared with the strikes. */
const valueOf = ({ series }: Terms): string => {
  if (/^KXHIGH/.test(series)) return "high "
  if (/^KXLOW/.test(series)) return "low "
  return /TOTAL/.test(series) ? "total " : ""
}

/**
 * The terms of a contract in words, such as `high above 52 °F` or `Bills win`. A venue's `greater` and `less` are strict; a
 * contract without strikes is on the side at the end of its ticker.
 */
export const termsWords = (terms: Terms): string => {
  const { strikeType, floorStrike: floor, capStrike: cap } = terms
  const [unit, value] = [unitOf(terms), valueOf(terms)]
  const side = terms.ticker.slice(terms.event.length + 1)
  const isBaseball = /^KXMLB/.test(terms.series)
  if (/SPREAD/.test(terms.series) && floor !== undefined)
    return `${toTeam(isBaseball, side.replace(/[\d.]+$/, ""))} win by more than ${plain(floor)}`
  if (floor !== undefined && cap !== undefined) return `${value}${plain(floor)} to ${plain(cap)}${unit}`
  if (floor !== undefined) {
    return `${value}${strikeType === "greater_or_equal" ? "at least" : "above"} ${plain(floor)}${unit}`
  }
  if (cap !== undefined) return `${value}${strikeType === "less_or_equal" ? "at most" : "below"} ${plain(cap)}${unit}`
  return side === "" ? terms.ticker : `${toTeam(isBaseball, side)} win`
}

/** The city of a station, the teams of a game; any other name unchanged. */
const instrumentName = (instrument: string, isBaseball: boolean): string => {
  const [away, home] = instrument.split(" @ ")
  if (home !== undefined) return `${toTeam(isBaseball, away!)} at ${toTeam(isBaseball, home)}`
  return cityName(instrument)
}

/** The event of a settled row in words: `New York, 24 Nov 2026`, `BTC, 26 Nov 2026, 15:00`. */
export const eventWords = ({ instrument, event, closeTime }: EventOf): string => {
  const day = parseTickerDay(event)?.day
  return day === undefined || /^KX(BTC|ETH|SOL)/.test(event)
    ? `${instrument}, ${timeText(closeTime)}`
    : `${instrumentName(instrument, /^KXMLB/.test(event))}, ${dayText(day)}`
}

interface EventOf {
  readonly instrument: string
  readonly event: string
  readonly closeTime: number
}

/** The subject of a leaf in words: `New York, 24 Nov 2026` of `KNYC/2026-11-24`. */
export const subjectWords = (text: string, lane: string): string => {
  const subject = Subject.parse(text)
  switch (subject._tag) {
    case "StationDay":
      return `${instrumentName(subject.station, false)}, ${dayText(subject.day)}`
    case "AssetAt":
      return `${subject.asset}, ${timeText(subject.at)}`
    case "AssetAhead":
      return `${subject.asset} in ${subject.horizonMinutes} min`
    case "Matchup":
      return `${instrumentName(`${subject.away} @ ${subject.home}`, lane === "baseball")}, ${dayText(subject.day)}`
    case "Game":
      return subject.id
  }
}
