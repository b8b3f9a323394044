import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Priced } from "../../../core/contracts/Contract.ts"
import { type Failure, notFound } from "../../../core/Failure.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import { endpoints as crypto } from "../../../core/lanes/crypto/endpoints.ts"
import { isShown } from "../../../core/lanes/markets/books.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { type HistoryScope, MarketHistory, OpenContracts } from "../../../core/lanes/markets/ports.ts"
import { endpoints as weather } from "../../../core/lanes/weather/endpoints.ts"
import { Observations } from "../../../core/lanes/weather/ports.ts"
import { summarizeReadings } from "../../../core/lanes/weather/signal/sameDay.ts"
import { climateDay, climateDayStart } from "../../../core/lanes/weather/stations.ts"
import type { Leaf } from "../../../core/record/log/leaf.ts"
import { isSealed, RecordLog } from "../../../core/record/log/RecordLog.ts"
import { probabilityScale } from "../../../core/record/scoreboard/calibration.ts"
import { priceScale } from "../../../core/record/scoreboard/hypothetical.ts"
import { type Domain, domains, isLive, toMarketProbability } from "../../../core/record/scoreboard/Settled.ts"
import { nobody } from "../../../core/rights/Rights.ts"
import { compare, count } from "../../../core/text.ts"
import { iso } from "../../../core/time.ts"
import { percent } from "../view/numbers.ts"
import type { Picture } from "../view/plot.tsx"
import { type Settled, winnerOf } from "./Scored.tsx"
import type { Card, Line, Noted, Public, Says, Scores, SettledRow, Shown, Subject } from "./Subject.ts"
import { byStrike, cents, contractName, eventName, saysOf, venueOf } from "./words.ts"

const performances = { weather: weather.performance, crypto: crypto.performance }

/** Captures that are read of a subject, and revisions of a result that are looked for. */
const [maxCaptures, maxRevisions] = [200, 3]

export type Ports = MarketHistory | OpenContracts | RecordLog | Observations

/** A source that takes longer is left out of a page. */
const readTimeout = "2 seconds"

export const make = (
  { call }: Gateway["Type"],
  read: (domain: Domain) => Effect.Effect<Settled, Failure>,
): Effect.Effect<Public, never, Ports> =>
  Effect.gen(function* () {
    const { open, freshness } = yield* OpenContracts
    const [log, { captures }] = [yield* RecordLog, yield* MarketHistory]
    const { since, freshness: observed } = yield* Observations
    const isReal = freshness === "live"
    // Generated markets say nothing of a real lane.
    const settled: Public["settled"] = (domain) => (isReal ? read(domain) : Effect.succeed({ rows: [] }))
    const captured = (scope: HistoryScope, now: number, limit: number) =>
      isReal ? captures({ scope, from: 0, until: now, after: undefined, limit }) : Effect.succeed([])
    const older = Effect.fnUntraced(function* (market: string, now: number) {
      const [first] = yield* captured({ market }, now, 1)
      if (first === undefined) return []
      const { domain, closeTime } = first.contract
      const input = { domain, limit: 500, before: iso(closeTime + 1) }
      return (yield* call(markets.settled, input, { authorization: undefined })).answer.results.rows
    })
    return {
      settled,
      settledOf: Effect.fnUntraced(function* (ticker, now) {
        const eventIn = (rows: ReadonlyArray<SettledRow>) => {
          const own = rows.find((row) => row.market_ticker === ticker)
          return own === undefined ? [] : rows.filter((row) => row.event === own.event && row.venue === own.venue)
        }
        const rows = eventIn((yield* Effect.forEach(domains, settled)).flatMap((each) => each.rows))
        return rows.length > 0 ? rows : eventIn(yield* older(ticker, now))
      }),
      entries: Effect.fnUntraced(function* (of, now) {
        const captures = yield* captured(of, now, maxCaptures)
        const forecasts = new Map(captures.map(({ at, captureId: id }) => [id, { at, id, name: "Forecast" }]))
        const results = new Map<string, Noted>()
        for (const { venue, ticker } of new Map(captures.map(({ contract }) => [contract.ticker, contract])).values()) {
          for (let revision = 1; revision <= maxRevisions; revision++) {
            const leaf = yield* log.leafOf(`${venue}/${ticker}/${revision}`)
            if (leaf === undefined) break
            const name = `${revision === 1 ? "Result" : "Correction"}, ${ticker}`
            results.set(leaf.id, { at: (JSON.parse(leaf.text) as Leaf).at, id: leaf.id, name })
          }
        }
        return [...results.values(), ...[...forecasts.values()].sort((a, b) => b.at - a.at)]
      }),
      open: (now) =>
        isReal
          ? open.pipe(
              Effect.map(({ contracts }) => contracts.filter((each) => isShown(each, now))),
              // Without a venue's terms there are no prices; settled contracts are shown all the same.
              Effect.catchIf(
                ({ code }) => code === "data_provider_unavailable",
                () => Effect.succeed([]),
              ),
            )
          : Effect.succeed([]),
      soFar: (station, now) => {
        const start = climateDayStart(station, climateDay(station, now))
        return observed !== "live"
          ? Effect.succeed(undefined)
          : since(station, start).pipe(
              Effect.timeout(readTimeout),
              Effect.option,
              Effect.map((read) => Option.getOrUndefined(Option.map(read, (all) => summarizeReadings(all, start)))),
            )
      },
      body: (id, now) =>
        Effect.map(log.leafOf(id), (leaf) =>
          leaf === undefined || isSealed(leaf, now) ? undefined : (JSON.parse(leaf.text) as Leaf).body,
        ),
      performance: (lane, isOwn) =>
        Effect.map(Effect.option(call(performances[lane], {}, { authorization: undefined })), (reply) => {
          if (Option.isNone(reply)) return undefined
          const { data_freshness: freshness, rows } = reply.value.answer.results
          return freshness === "live" ? (rows as ReadonlyArray<Scores>).find(isOwn) : undefined
        }),
    }
  })

const share = (millionths: number): number => millionths / probabilityScale

/** An open contract: the model's number is shown to whom the rights give it. */
export const openLine = (contract: Priced): Line => {
  const { bidAsk, model, lane, ticker, title } = contract
  return {
    name: contractName(title, ticker),
    ticker,
    ...(nobody.read(undefined, lane) ? { model: share(model) } : {}),
    ...(isLive(bidAsk)
      ? { market: share(toMarketProbability(bidAsk)), ask: { side: "yes", price: cents(bidAsk.yesAsk / priceScale) } }
      : {}),
  }
}

/** The contracts of the event that closes first. */
const firstEvent = (contracts: ReadonlyArray<Priced>): ReadonlyArray<Priced> => {
  const first = contracts.toSorted((a, b) => a.closeTime - b.closeTime)[0]
  return first === undefined
    ? []
    : contracts.filter(({ event, venue }) => event === first.event && venue === first.venue)
}

/** How a kind of subject says its numbers in large figures. */
export type Figures = (lines: ReadonlyArray<Line>, contracts: ReadonlyArray<Priced>) => ReadonlyArray<Says>

/** Of each contract its name and price: for games, and for a contract alone. */
export const bySide: Figures = (lines) =>
  lines.map(({ name, model, market }) => ({
    ...(lines.length > 1 && { of: name }),
    ...(model !== undefined && { we: percent(model) }),
    ...(market !== undefined && { market: percent(market) }),
  }))

/** The open event of a subject; undefined: none is open. */
export const openCard = (
  contracts: ReadonlyArray<Priced>,
  given: Pick<Card, "path" | "call" | "alert"> & { readonly figures: Figures },
): Card | undefined => {
  const own = firstEvent(contracts).toSorted((a, b) => byStrike(a.floorStrike, b.floorStrike))
  const first = own[0]
  if (first === undefined) return undefined
  const { figures, ...rest } = given
  const lines = own.map(openLine)
  return {
    ...rest,
    title: eventName(first.title, first.ticker),
    says: figures(lines, own),
    closesAt: first.closeTime,
    lines,
    settles: first.basis.venueSource,
    venue: venueOf(first.venue, first.ticker),
    isSample: false,
  }
}

const settledLine = (row: SettledRow): Line => ({
  name: contractName(row.title, row.market_ticker),
  ticker: row.market_ticker,
  model: row.model_prob,
  market: row.market_prob,
  pool: row.pooled_prob,
  result: row.result,
})

/** The event of a subject that settled last, with the forecasts before its close; undefined: none has settled. */
export const lastCard = (
  rows: ReadonlyArray<SettledRow>,
  { path, call }: { readonly path: string; readonly call: Shown },
  picture?: Picture,
): Card | undefined => {
  const newest = rows[0]
  if (newest === undefined) return undefined
  const own = rows
    .filter(({ event, venue }) => event === newest.event && venue === newest.venue)
    .toSorted((a, b) => byStrike(a.floor_strike, b.floor_strike))
  const winner = winnerOf(own)
  return {
    title: eventName(newest.title, newest.market_ticker),
    path,
    says: winner === undefined ? [] : [saysOf(winner.model_prob, winner.market_prob)],
    happened: winner === undefined ? "none of the contracts below" : contractName(winner.title, winner.market_ticker),
    lines: own.map(settledLine),
    picture,
    closesAt: Date.parse(newest.close_time),
    writtenAt: Date.parse((winner ?? newest).captured_at),
    settles: newest.settlement_basis?.venue_source,
    venue: venueOf(newest.venue, newest.market_ticker),
    leaf: (winner ?? newest).capture_id,
    call: { ...call, isFree: true },
    isSample: false,
  }
}

/** A subject without a contract: its number is sold all the same. */
export const bareCard = (
  title: string,
  given: Pick<Card, "path" | "call" | "alert"> & { readonly settles?: string },
): Card => ({ ...given, title, says: [{}], lines: [], isSample: false })

/** The error of the forecasts as they were recorded, where some are scored. */
export const errorFacts = (scores: Scores | undefined, unit: string): Readonly<Record<string, string>> =>
  scores === undefined
    ? {}
    : { "Mean error here": `${scores.crps.toFixed(2)} ${unit} (CRPS) over ${count(scores.n)} forecasts` }

/** The games of a kind that are open; the contracts themselves are listed by what differs, which is sold. */
export const gamesOf = (reading: Public, kind: Subject["kind"], now: number) =>
  Effect.map(reading.open(now), (open) => [
    ...new Set(open.flatMap(({ domain, subject }) => (domain === kind ? [subject] : [])).sort(compare)),
  ])

/** A subject of which nothing is open and nothing has settled. */
export const nothingYet = notFound("No contract of it is open, and none has settled yet.")
