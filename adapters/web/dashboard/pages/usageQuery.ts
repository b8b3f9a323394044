import {
  keptDays,
  nextSpanStart,
  oldestKept,
  type Span,
  spanStart,
  type UsageGroup,
  type UsageQuery,
} from "../../../../core/account/Usage.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { day, dayOf } from "../../../../core/time.ts"
import { byName, endOfDay, type Filter, lastDay, reading } from "../../view/filters.tsx"
import { modeError, modes } from "../mode.tsx"

/** Days of one page: ten years by the month, a year, and a week by the hour. */
const maxDays: Readonly<Record<Span, number>> = { month: 3_660, day: 366, hour: 7 }

/** Days that are shown where the address has no first one. */
const defaultDays: Readonly<Record<Span, number>> = { month: 365, day: 30, hour: 2 }

const bySpans = byName<Span>(["day", "hour", "month"])

const groups = byName<UsageGroup>(["endpoint", "agent", "key", "status"])

/** Which rows a file has. */
const byTimes: ReadonlyMap<string, boolean> = new Map([
  ["group", false],
  ["time", true],
])

/** The days in a page's address; wrong ones are said, and the usual ones stand for them. */
export const parseQuery = (query: URLSearchParams, now: number) => {
  const read = reading(query)
  const span = read.one("by", bySpans, "Show usage by month, by day or by hour.") ?? "day"
  const group = read.one("group", groups, `Group by ${[...groups.keys()].join(", ")}.`) ?? "endpoint"
  const livemode = read.one("mode", modes, modeError)
  const today = now - (now % day)
  const shown = span === "hour" ? "day" : span
  const to = nextSpanStart(shown, endOfDay(read.day("to") ?? today))
  const from = spanStart(shown, read.day("from") ?? Math.max(0, to - defaultDays[span] * day))
  if (from >= to) read.refuse("to", "The last day is before the first one.")
  else if (to - from > maxDays[span] * day) {
    read.refuse("from", `By the ${span}, a page shows ${maxDays[span]} days at most.`)
  }
  if (span !== "month" && from < oldestKept(span, now)) {
    read.refuse("from", `Usage by the ${span} is kept for ${keptDays[span]} days.`)
  }
  const skipped = read.text("after") ?? "0"
  if (!/^\d{1,7}$/.test(skipped)) read.refuse("after", "This page link is invalid.")
  const found: UsageQuery = { from, to, span, group, ...ifDefined("livemode", livemode) }
  const byTime = read.one("rows", byTimes, "Rows are by group, or by time.") ?? false
  return { found, skip: Number(skipped), byTime, wrong: read.wrong }
}

export const makeFilters = ({ from, to, span, group }: UsageQuery): ReadonlyArray<Filter> => [
  { name: "by", label: "Interval", choices: [...bySpans], initial: span },
  { name: "group", label: "Group by", choices: [...groups], initial: group },
  { name: "from", label: "From (UTC)", isDay: true, initial: dayOf(from) },
  { name: "to", label: "To (UTC)", isDay: true, initial: lastDay(to) },
]
