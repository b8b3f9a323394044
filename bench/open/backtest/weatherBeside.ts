import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import { meanDifference } from "../../../core/math/clusters.ts"
import type { Discrete } from "../../../core/math/discretise.ts"
import { brier, logScore } from "../../../core/math/score.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import type { WeighedRow } from "../../../core/record/scoreboard/anchorWeight.ts"
import { clip, probabilityScale } from "../../../core/record/scoreboard/calibration.ts"
import { clusterOf } from "../../../core/record/scoreboard/cluster.ts"
import { pool } from "../../../core/record/scoreboard/pool.ts"
import { type BidAsk, isLive, marketOf } from "../../../core/record/scoreboard/Settled.ts"
import { intervalCoverage, replicates, seed } from "../../../core/record/scoreboard/scores.ts"
import { plural } from "../../../core/text.ts"
import { day, dayOf, hour } from "../../../core/time.ts"
import { aligned } from "../compare/aligned.ts"
import { entered } from "../compare/compare.ts"
import { uncompressed } from "../lanes/files.ts"
import { atLeast, lawOf } from "../lanes/weather/laws.ts"
import { weatherTask } from "../lanes/weather/task.ts"
import type { recordedIn } from "../recorded.ts"

/** A change of a contract's book, prices in cents. Times are without a zone, of the Pacific coast: UTC − 8 in December. */
export interface Tick {
  readonly timestamp: string
  readonly market_ticker: string
  readonly best_yes_bid: string
  readonly implied_yes_ask: string
  readonly implied_no_ask: string
}

/** The contracts of a climate day of New York, what came, and the served law of the day before. */
export interface Day {
  /** YYYY-MM-DD. */
  readonly day: string
  readonly ticks: ReadonlyArray<Tick>
  /** The ticker that settled yes. */
  readonly winner: string
  readonly law: Discrete
  readonly actual: number
}

export type PricedHigh = WeighedRow & { readonly quotes: BidAsk; readonly day: string }

/** 21:00 UTC of the day before: markets open at 15:00, and one was recorded from 20:27 on. Forecasts are of 12:00. */
const lead = 3 * hour

const cents = (text: string): number => 100 * Number(text)

/** The book of each contract at a time. */
const booksAt = (ticks: ReadonlyArray<Tick>, at: number): ReadonlyMap<string, BidAsk> =>
  new Map(
    ticks
      .filter(({ timestamp }) => Date.parse(`${timestamp}-08:00`) <= at)
      .map((tick) => [
        tick.market_ticker,
        { yesBid: cents(tick.best_yes_bid), yesAsk: cents(tick.implied_yes_ask), noAsk: cents(tick.implied_no_ask) },
      ]),
  )

/** The degrees that a contract pays on: two around `B32.5`; of the tails the lower is "below T30", the upper "above T37". */
const degreesOf = (ticker: string, tickers: Iterable<string>): readonly [from: number, to: number] => {
  const strike = (name: string) => Number(name.slice(name.lastIndexOf("-") + 2))
  const own = strike(ticker)
  if (ticker.includes("-B")) return [own - 0.5, own + 0.5]
  const isLower = [...tickers].every((other) => strike(other) >= own)
  return isLower ? [Number.NEGATIVE_INFINITY, own - 1] : [own + 1, Number.POSITIVE_INFINITY]
}

/** The contracts with two live sides at the lead. A winner that is not the official high's is an error. */
export const pricedHighs = (days: ReadonlyArray<Day>): ReadonlyArray<PricedHigh> =>
  days.flatMap(({ day: target, ticks, winner, law, actual }) => {
    const capturedAt = Date.parse(target) - lead
    const books = booksAt(ticks, capturedAt)
    // Local standard midnight is 05:00 UTC; reports are out by noon.
    const closeTime = Date.parse(target) + day + 5 * hour
    return [...books].flatMap(([ticker, quotes]): ReadonlyArray<PricedHigh> => {
      const [from, to] = degreesOf(ticker, books.keys())
      const happened = actual >= from && actual <= to
      if (happened !== (ticker === winner)) throw new Error(`${ticker}: ${winner} won, but the high was ${actual} °F.`)
      if (!isLive(quotes)) return []
      return [
        {
          ...{ domain: "weather", capturedAt, closeTime, settledAt: closeTime + 12 * hour, day: target },
          ...{
            model: Math.round((atLeast(law, from) - atLeast(law, to + 1)) * probabilityScale),
            quotes,
            result: happened ? "yes" : "no",
          },
        },
      ]
    })
  })

const scores = {
  Brier: brier,
  "log score": (p: number, happened: boolean) => logScore(p, happened, clip),
} as const

/** Model, market and pool of each day, and the difference of model and market where there are weeks enough. */
export const besideMarket = (rows: ReadonlyArray<PricedHigh>, weightAt: (at: number) => number): string => {
  const all = rows.map((row) => {
    const market = marketOf(row.quotes)
    const own = { model: row.model, market, pool: pool(row.model, market, weightAt(row.capturedAt)) }
    const of = (score: (typeof scores)["Brier"]) =>
      Object.values(own).map((millionths) => score(millionths / probabilityScale, row.result === "yes"))
    return { day: row.day, cluster: clusterOf(row), scores: Object.values(scores).map(of) }
  })
  const line = (name: string, some: typeof all) => {
    const mean = (measure: number, who: number) =>
      some.reduce((sum, row) => sum + row.scores[measure]![who]!, 0) / some.length
    return [name, String(some.length), ...[0, 1].flatMap((at) => [0, 1, 2].map((who) => mean(at, who).toFixed(4)))]
  }
  const days = [...new Set(all.map((row) => row.day))]
  const differences = Object.keys(scores).map((name, measure) => {
    const [model, market] = [0, 1].map((who) => all.map((row) => row.scores[measure]![who]!))
    const sampling = { replicates, level: intervalCoverage, generator: xoshiro128(seed) }
    const { value, low, high, clusters } = meanDifference(
      model!,
      market!,
      all.map((row) => row.cluster),
      sampling,
    )
    const interval = Number.isNaN(low)
      ? `no interval of ${plural(clusters, "week")}`
      : `${low.toFixed(4)} to ${high.toFixed(4)}`
    return `${name}, model − market: ${value.toFixed(4)}, ${interval}`
  })
  const who = ["model", "market", "pool"]
  return [
    aligned([
      ["New York's high", "contracts", ...Object.keys(scores).flatMap((name) => who.map((one) => `${name}, ${one}`))],
      ...days.map((name) =>
        line(
          name,
          all.filter((row) => row.day === name),
        ),
      ),
      line(plural(days.length, "day"), all),
    ]),
    ...differences,
  ].join("\n")
}

/** Kalshi's recorded days whose forecast is in the archive. */
export const recordedHighs = async ({ file, weather }: ReturnType<typeof recordedIn>): Promise<ReadonlyArray<Day>> => {
  const task = weatherTask(await weather())
  const { forecasts } = (await Effect.runPromise(entered(task))).find(({ kind }) => kind === "served")!
  const folder = file("markets", "ticks")
  const csv = <A>(name: string): ReadonlyArray<A> =>
    parse<A>(uncompressed(readFileSync(join(folder, name))).toString("utf8"), { columns: true })
  const winners = csv<{ event_ticker: string; inferred_yes_ticker: string }>("inferred_winners.csv")
  return readdirSync(folder)
    .sort()
    .flatMap((name): ReadonlyArray<Day> => {
      const event = /^market_data_(KXHIGHNY-.*)\.csv\.gz$/.exec(name)?.[1]
      if (event === undefined) return []
      const target = dayOf(Date.parse(`20${event.slice(-7, -5)} ${event.slice(-5, -2)} ${event.slice(-2)} UTC`))
      const one = task.cases.find(({ question }) => question.station === "KNYC" && question.day === target)
      if (one === undefined) return []
      const winner = winners.find(({ event_ticker }) => event_ticker === event)!.inferred_yes_ticker
      const law = lawOf(forecasts.get(one.id)!).degrees
      return [{ day: target, ticks: csv<Tick>(name), winner, law, actual: one.outcome }]
    })
}
