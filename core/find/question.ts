import { months } from "../contracts/tickers.ts"
import { nearest } from "../endpoint/nearest.ts"
import { addDays, isDay } from "../time.ts"

/** The words of a question, and the values that are read from them. */
export interface Question {
  /** In lower case, without the words for a day or a span of time. */
  readonly words: string
  /** The day that is named, YYYY-MM-DD; undefined if none is. */
  readonly day: ((today: string) => string) | undefined
  /** Strikes, degrees and the like. */
  readonly numbers: ReadonlyArray<number>
  /** A span of time in minutes, such as "in 2 hours". */
  readonly minutes: number | undefined
  /** The week of a season. */
  readonly week: number | undefined
}

type Day = Question["day"]

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
const weekday =
  "(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?)"
const month =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
const date = "(\\d{1,2})(?:st|nd|rd|th)?"
const year = "(?:,? (\\d{4}))?"

const addToToday =
  (days: number): Day =>
  (today) =>
    addDays(today, days)

/** The next such weekday, today included or, if `isPast`, the last one before today. */
const findWeekday =
  (name: string, isPast: boolean): Day =>
  (today) => {
    const from = new Date(`${today}T00:00:00Z`).getUTCDay()
    const ahead = (weekdays.indexOf(name.slice(0, 3)) - from + 7) % 7
    return addDays(today, isPast ? ahead - 7 : ahead)
  }

const dayWords = [
  ...["today", "tonight", "tomorrow", "yesterday"],
  ...["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"],
]

/** Corrects the spelling of a word for a day; other words stay. */
const correctSpelling = (word: string): string => nearest(dayWords, word, undefined, word.length > 6 ? 2 : 1) ?? word

const padTwo = (text: string) => text.padStart(2, "0")

/** A day of a month; without a year, the nearest one to today. Undefined if there is no such day. */
const findDate = (named: number, dayOfMonth: string, inYear: string | undefined): Day => {
  const within = (of: number | string) => `${of}-${padTwo(String(named))}-${padTwo(dayOfMonth)}`
  if (inYear !== undefined) return isDay(within(inYear)) ? () => within(inYear) : undefined
  if (!isDay(within(2000))) return undefined
  return (today) => {
    const away = (day: string) => Math.abs(Date.parse(day) - Date.parse(today))
    const thisYear = Number(today.slice(0, 4))
    const near = [thisYear - 1, thisYear, thisYear + 1].map(within).filter(isDay)
    return near.reduce((best, each) => (away(each) < away(best) ? each : best), near[0] ?? today)
  }
}

const parseMonth = (name: string): number => months.indexOf(name.slice(0, 3).toUpperCase()) + 1

/** The ways to name a day, the more specific ones first. */
const dayForms: ReadonlyArray<readonly [form: string, read: (...parts: ReadonlyArray<string | undefined>) => Day]> = [
  ["(\\d{4}-\\d{2}-\\d{2})", (day) => (isDay(day!) ? () => day! : undefined)],
  ["day after tomorrow", () => addToToday(2)],
  ["day before yesterday", () => addToToday(-2)],
  ["tomorrow", () => addToToday(1)],
  ["yesterday|last night", () => addToToday(-1)],
  ["today|tonight", () => addToToday(0)],
  ["in (\\d{1,3}) days", (count) => addToToday(Number(count))],
  ["(\\d{1,3}) days ago", (count) => addToToday(-Number(count))],
  [`${date} (?:of )?${month}${year}`, (of, name, inYear) => findDate(parseMonth(name!), of!, inYear)],
  [`${month}\\.? ${date}${year}`, (name, of, inYear) => findDate(parseMonth(name!), of!, inYear)],
  ["(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}))?", (named, of, inYear) => findDate(Number(named), of!, inYear)],
  [`(?:(last|on|this|next) )?${weekday}(?: night)?`, (which, name) => findWeekday(name!, which === "last")],
]
const dayReaders = dayForms.map(([form, read]) => [new RegExp(`(?<![\\w-])(?:${form})(?![\\w-])`), read] as const)

const spanPattern =
  /(?<![\w-])(?:in |next |within |the )*(an?|\d{1,4}) ?-?(min|minutes?|mins|h|hours?|hrs?)(?: from now| ahead)?(?![\w-])/
/** The figures in a text, and the text with each of them in plain digits. */
export const readNumbers = (text: string): readonly [numbers: ReadonlyArray<number>, text: string] => {
  const numbers: Array<number> = []
  const plain = text.replace(numberPattern, (_, digits: string, thousands?: string) => {
    const value = Number(digits.replaceAll(",", "")) * (thousands === undefined ? 1 : 1_000)
    numbers.push(value)
    return String(value)
  })
  return [numbers, plain]
}
const numberPattern = /(?<![\w.-])\$?(\d[\d,]*(?:\.\d+)?)(k)?(?=(?:°? ?[fc]|°|%)?(?![\w.-]))/g

/**
 * Reads a question. Words that name a day or a span of time are taken out.
 *
 * @example
 * ```ts
 * import { read } from "./question.ts"
 *
 * const { words, day, numbers } = read("NYC high tomorrow above 50")
 * words // "nyc high above 50"
 * day?.("2026-11-29") // "2026-11-30"
 * numbers // [50]
 * ```
 */
export const read = (text: string): Question => {
  let words = text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<![\w-])[a-z]{5,}(?![\w-])/g, correctSpelling)
  let day: Day
  for (const [form, reader] of dayReaders) {
    const match = form.exec(words)
    day = match === null ? undefined : reader(...match.slice(1))
    if (day === undefined) continue
    words = words.replace(form, " ")
    break
  }
  const [spanned, count, unit] = spanPattern.exec(words) ?? []
  if (spanned !== undefined) words = words.replace(spanned, " ")
  const week = /(?<![\w-])week (\d{1,2})(?![\w-])/.exec(words)?.[1]
  const [numbers, plain] = readNumbers(words)
  return {
    words: plain.replace(/\s+/g, " ").trim(),
    day,
    numbers: week === undefined ? numbers : numbers.filter((each) => each !== Number(week)),
    minutes:
      count === undefined ? undefined : (/^a/.test(count) ? 1 : Number(count)) * (unit!.startsWith("h") ? 60 : 1),
    week: week === undefined ? undefined : Number(week),
  }
}
