import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { pricings } from "../../../core/lanes/all.ts"
import type { Leaf } from "../../../core/record/log/leaf.ts"
import { isSealed, type Entry as Logged, RecordLog } from "../../../core/record/log/RecordLog.ts"
import { leadName } from "../../../core/record/scoreboard/divisions.ts"
import { toMarketProbability } from "../../../core/record/scoreboard/Settled.ts"
import { day } from "../../../core/time.ts"
import type { MarketFilters } from "../view/filters.tsx"
import { subjectWords, termsWords } from "./words.ts"

interface Place {
  /** In the log, from 0. */
  readonly position: number
  readonly id: string
}

/** A prediction whose text is not public yet. */
export interface Sealed extends Place {
  readonly _tag: "Sealed"
  /** Epoch milliseconds. */
  readonly until: number
}

/** A contract in a forecast. Probabilities in whole millionths; the market's is absent without two sides. */
export interface Priced {
  readonly words: string
  readonly venue: string
  readonly ticker: string
  readonly model: number
  readonly market?: number
  readonly closeTime: number
}

interface Open extends Place {
  readonly at: number
  readonly lane: string
  /** When the prediction was written; absent where the entry does not tell. */
  readonly predictedAt?: number
  /** Time from the prediction to the close, milliseconds; absent where the entry does not tell. */
  readonly lead?: number
}

/** A signal, with the contracts that it prices: none where no venue was polled. */
export interface Forecast extends Open {
  readonly _tag: "Forecast"
  readonly about: string
  readonly closeTime: number
  readonly contracts: ReadonlyArray<Priced & { readonly result?: string }>
}

/** The result of a contract, or a later word on it. */
export interface Result extends Open {
  readonly _tag: "Result"
  readonly kind: Leaf["kind"]
  readonly event: string
  readonly about: string
  /** Its contract, once the forecast that it decides is read. */
  readonly ticker?: string
  readonly result: string
  readonly model?: number
  readonly market?: number
  /** The forecast that it decides. */
  readonly captureId: string
}

/** A challenger's probability of a contract. */
export interface Opinion extends Open {
  readonly _tag: "Opinion"
  readonly model: string
  readonly venue: string
  readonly ticker: string
  readonly p: number
  readonly closeTime: number
  readonly result?: string
}

export type Entry = Sealed | Forecast | Result | Opinion

type Body = Readonly<Record<string, unknown>>

const numberIn = (body: Body, name: string): number | undefined => {
  const value = body[name]
  return typeof value === "number" ? value : undefined
}

const textIn = (body: Body, name: string): string => {
  const value = body[name]
  return typeof value === "string" ? value : ""
}

const marketIn = (body: Body): { readonly market?: number } => {
  const [yesBid, yesAsk] = [numberIn(body, "yes_bid"), numberIn(body, "yes_ask")]
  return yesBid === undefined || yesAsk === undefined || yesBid <= 0 || yesAsk >= 10_000
    ? {}
    : { market: toMarketProbability({ yesBid, yesAsk, noAsk: 0 }) }
}

const contractOf = (quote: Body): ReadonlyArray<Priced> => {
  const [model, closeTime] = [numberIn(quote, "model"), numberIn(quote, "close_time")]
  if (model === undefined || closeTime === undefined) return []
  const [venue, ticker] = [textIn(quote, "venue"), textIn(quote, "ticker")]
  const terms = {
    ...{ series: textIn(quote, "series"), event: textIn(quote, "event"), ticker },
    strikeType: textIn(quote, "strike_type"),
    floorStrike: numberIn(quote, "floor_strike"),
    capStrike: numberIn(quote, "cap_strike"),
  }
  return [{ words: termsWords(terms), venue, ticker, model, closeTime, ...marketIn(quote) }]
}

const closeIn = (body: Body): number | undefined => {
  const close = body["close_time"]
  return typeof close === "string" ? Date.parse(close) : numberIn(body, "close_time")
}

/** A leaf as an entry of the list. A sealed one is not read: even its lane is part of its text. */
export const entryOf = (logged: Logged, now: number): Entry => {
  const { position, id, text, sealedUntil } = logged
  if (isSealed(logged, now)) return { _tag: "Sealed", position, id, until: sealedUntil! }
  const { kind, at, lane, subject, body } = JSON.parse(text) as Leaf
  const closeTime = closeIn(body)
  const isPrediction = kind === "opinion" || kind === "capture" || kind === "prediction"
  const predictedAt = numberIn(body, "captured_at") ?? (isPrediction ? at : undefined)
  const lead = predictedAt === undefined || closeTime === undefined ? undefined : closeTime - predictedAt
  const open = { position, id, at, lane, ...ifDefined("predictedAt", predictedAt), ...ifDefined("lead", lead) }
  if (kind === "opinion") {
    const [model, venue] = [textIn(body, "model"), textIn(body, "venue")]
    const p = numberIn(body, "p") ?? 0
    return { _tag: "Opinion", ...open, model, venue, ticker: subject, p, closeTime: closeTime ?? at }
  }
  if (kind === "capture" || kind === "prediction") {
    const quotes = Array.isArray(body["quotes"]) ? (body["quotes"] as ReadonlyArray<Body>) : []
    const contracts = quotes.flatMap(contractOf)
    return { _tag: "Forecast", ...open, about: subjectWords(subject, lane), closeTime: closeTime ?? at, contracts }
  }
  const model = numberIn(body, "model")
  return {
    ...{ _tag: "Result", ...open, kind, event: textIn(body, "event"), about: subject, result: textIn(body, "result") },
    ...(model === undefined ? {} : { model, ...marketIn(body) }),
    captureId: textIn(body, "capture_id") || textIn(body, "capture"),
  }
}

/** Revisions of a result that are looked for: a venue corrects one once, if at all. */
const maxRevisions = 3

type Reading<A> = Effect.Effect<A, Failure, RecordLog>

/** The result of a contract by the newest of its leaves. */
const resultOf = (venue: string, ticker: string): Reading<string | undefined> =>
  Effect.gen(function* () {
    const log = yield* RecordLog
    let result: string | undefined
    for (let revision = 1; revision <= maxRevisions; revision++) {
      const leaf = yield* log.leafOf(`${venue}/${ticker}/${revision}`)
      if (leaf === undefined) return result
      result = textIn((JSON.parse(leaf.text) as Leaf).body, "result")
    }
    return result
  })

/** Contracts of a forecast that are listed, each with its result. */
const maxContracts = 8

const withResult = <A extends { readonly venue: string; readonly ticker: string }>(one: A) =>
  Effect.map(resultOf(one.venue, one.ticker), (result) => (result === undefined ? one : { ...one, result }))

/** Adds the results of contracts, and to a result the words of its forecast. */
export const completed = (entry: Entry, now: number): Reading<Entry> =>
  Effect.gen(function* () {
    if (entry._tag === "Forecast") {
      const contracts = yield* Effect.forEach(entry.contracts.slice(0, maxContracts), withResult)
      return { ...entry, contracts: [...contracts, ...entry.contracts.slice(maxContracts)] }
    }
    if (entry._tag === "Opinion") return yield* withResult(entry)
    if (entry._tag === "Sealed" || entry.captureId === "") return entry
    const leaf = yield* (yield* RecordLog).leafOf(entry.captureId)
    const forecast = leaf === undefined ? undefined : entryOf(leaf, now)
    if (forecast?._tag !== "Forecast") return entry
    const contract = forecast.contracts.find(({ ticker }) => ticker === entry.about)
    return contract === undefined
      ? { ...entry, about: forecast.about }
      : { ...entry, about: `${forecast.about}, ${contract.words}`, ticker: contract.ticker }
  })

/** Entries of the list: by default ours, which are those that are sold or scored. */
export const shows = ["ours", "forecasts", "results", "challengers"] as const

/** The reader's choice; the days are those of the entries. */
export interface Asked extends MarketFilters {
  readonly show: (typeof shows)[number]
  /** Only positions below it. */
  readonly before?: number | undefined
}

const laneOf = new Map(pricings.map(({ domain, lane }) => [domain, lane]))

const isWanted = (entry: Entry, { show, domain, lead }: Asked): boolean => {
  // A filter that a sealed entry passed would tell its lane.
  if (entry._tag === "Sealed") return domain === undefined && lead === undefined && show !== "results"
  if (domain !== undefined && entry.lane !== laneOf.get(domain)) return false
  if (lead !== undefined && leadName(entry.lead ?? -1) !== lead) return false
  const tags = { ours: ["Forecast", "Result"], forecasts: ["Forecast"], results: ["Result"], challengers: ["Opinion"] }
  return tags[show].includes(entry._tag)
}

/** The first position from which on entries are not older than an instant. Times rise with positions, but for a few. */
const positionAt = (at: number, size: number): Reading<number> =>
  Effect.gen(function* () {
    const log = yield* RecordLog
    let [low, high] = [0, size]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const leaf = yield* log.leafAt(middle)
      if (leaf !== undefined && (JSON.parse(leaf.text) as Leaf).at < at) low = middle + 1
      else high = middle
    }
    return low
  })

export const perPage = 25
/** Most leaves that one page looks through; the next one goes on there. */
const maxLooked = 300
const chunk = 50

/** A page of the list, newest first. */
export interface EntryPage {
  readonly entries: ReadonlyArray<Entry>
  /** The range of positions that was looked through, the end excluded. */
  readonly looked: readonly [from: number, to: number]
  /** The next page ends before it; absent on the last one. */
  readonly older?: number
}

/** Neighbours of one key are one line: sealed ones, and those on one event at one time. */
const keyOf = (entry: Entry): string => {
  switch (entry._tag) {
    case "Sealed":
      return "sealed"
    case "Forecast":
      return `${entry.about}/${entry.at}`
    case "Result":
      return entry.event === "" ? entry.id : `${entry.event}/${entry.at}`
    case "Opinion":
      return entry.id
  }
}

/** The entries of each line, in order. */
export const groupsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<ReadonlyArray<Entry>> => {
  const groups: Array<Array<Entry>> = []
  for (const [at, entry] of entries.entries()) {
    if (at > 0 && keyOf(entries[at - 1]!) === keyOf(entry)) groups.at(-1)!.push(entry)
    else groups.push([entry])
  }
  return groups
}

/**
 * Entries of the log by filters, from its end or from `before` backwards: a tail of the log, never all of it.
 *
 * @param size leaves under the newest checkpoint: later ones cannot be verified yet
 */
export const entryPage = (asked: Asked, size: number, now: number): Reading<EntryPage> =>
  Effect.gen(function* () {
    const log = yield* RecordLog
    const last = asked.to === undefined ? size : yield* positionAt(asked.to + day, size)
    const first = asked.from === undefined ? 0 : yield* positionAt(asked.from, size)
    const end = Math.max(first, Math.min(last, asked.before ?? size))
    const found: Array<Entry> = []
    let from = end
    let isFull = false
    while (from > first && end - from < maxLooked && !isFull) {
      const leaves = yield* log.range(Math.max(first, from - chunk), from)
      if (leaves.length === 0) break
      for (const leaf of [...leaves].reverse()) {
        const entry = entryOf(leaf, now)
        if (isWanted(entry, asked)) {
          if (groupsOf([...found, entry]).length > perPage) {
            isFull = true
            break
          }
          found.push(entry)
        }
        from = leaf.position
      }
    }
    const entries = yield* Effect.forEach(found, (entry) => completed(entry, now))
    return { entries, looked: [from, end], ...(from > first ? { older: from } : {}) }
  })
