import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import type { Priced } from "../../../../core/contracts/Contract.ts"
import { pricings } from "../../../../core/lanes/all.ts"
import { ActiveModel, type PriceModel } from "../../../../core/lanes/crypto/distribution.ts"
import { Challenge } from "../../../../core/lanes/markets/challenge/Challenge.ts"
import type { MarketsPorts } from "../../../../core/lanes/markets/Markets.ts"
import * as overLanes from "../../../../core/lanes/markets/overLanes.ts"
import {
  type CurrentScoreboard,
  compareRows,
  MarketHistory,
  type OpenContractList,
  OpenContracts,
  pageAfter,
  Scoreboard,
  SettledRows,
} from "../../../../core/lanes/markets/ports.ts"
import { perObject } from "../../../../core/perObject.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { type CurrentRow, type Domain, domains } from "../../../../core/record/scoreboard/Settled.ts"
import * as Step from "../../../../core/Step.ts"
import { addDays, dayOf, hour, minute } from "../../../../core/time.ts"
import { warmUp } from "../../../../core/WarmUp.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { season as baseballSeason } from "../../baseball/mock/baseball.ts"
import { hashSeed } from "../../mock/hash.ts"
import { buildChallenge, scoreInvented } from "./challenge.ts"
import { Generated } from "./Generated.ts"
import { history } from "./history.ts"
import { type Listing, listingsOn } from "./listings.ts"
import { type Finals, type Pricers, priceListing, published } from "./pricing.ts"
import { RowFiles, type Settled } from "./RowFiles.ts"
import { drawCapture, type Forecast, findCaptureTime, listSettled, settledRows, toForecast } from "./settled.ts"

/** The days, counted from today, whose listings may trade or await their final on that day; both included. */
const reachDays: Readonly<Record<Domain, readonly [first: number, last: number]>> = {
  weather: [-2, 2],
  crypto: [-1, 1],
  nfl: [-2, 9],
  mlb: [-3, 3],
}

const near = (domain: Domain, at: number): ReadonlyArray<Listing> => {
  const [first, last] = reachDays[domain]
  const today = dayOf(at)
  return Array.from({ length: last - first + 1 }, (_, ahead) =>
    listingsOn(domain, addDays(today, first + ahead)),
  ).flat()
}

/** In order of days. */
export const listTrading = (domain: Domain, at: number): ReadonlyArray<Listing> =>
  near(domain, at).filter(({ opensAt, closesAt }) => opensAt <= at && at < closesAt)

/** The listings that have closed by an instant but are not settled. */
export const listAwaiting = (domain: Domain, at: number): ReadonlyArray<Listing> =>
  near(domain, at).filter(({ closesAt, settlesAt }) => closesAt <= at && at < settlesAt)

/** The listings that were captured by one instant and are not settled at another. */
const listCaptured = (at: number, settledBy: number): ReadonlyArray<Listing> =>
  domains
    .flatMap((domain) => near(domain, at))
    .filter((listing) => findCaptureTime(listing) <= at && settledBy < listing.settlesAt)

/** Every contract that trades at a full minute, as the lanes' signals price it then. */
const priceOpen = (at: number): Effect.Effect<ReadonlyArray<Priced>, never, Pricers> =>
  Effect.gen(function* () {
    const priced: Array<ReadonlyArray<Priced>> = []
    for (const domain of domains) {
      for (const listing of listTrading(domain, at)) {
        yield* yieldToEventLoop
        priced.push(yield* priceListing(listing, at))
      }
    }
    return priced.flat()
  })

interface DomainRecord {
  readonly rows: ReadonlyArray<CurrentRow>
  /** Those with a model and a market price, in the order of the ledger. */
  readonly scored: ReadonlyArray<CurrentRow>
  readonly settledAt: number
}

/** Listings to settle, and rows to count, in one step of a few milliseconds. */
const [few, stretch] = [10, 200]

const count = (listings: ReturnType<typeof listTrading>): number =>
  listings.reduce((sum, { contracts }) => sum + contracts.length, 0)

/** Seasons before the last one that a starter's career reaches back. Each is generated once, which takes a while. */
const career = 4
const baseballReady = (at: number, before = career): Effect.Effect<void> =>
  Effect.forEach(
    Array.from({ length: before + 2 }, (_, back) => new Date(at).getUTCFullYear() - back),
    (year) =>
      Effect.zipRight(
        yieldToEventLoop,
        Effect.sync(() => baseballSeason(year)),
      ),
    { discard: true },
  )

/** Settled listings of a domain in memory: those of four boards, so that the last two boards are among them. */
const maxSettled = 1_200
/** Worlds over the same model have the same rows. */
const getSettledCache = perObject(
  (_: PriceModel) => new Map(domains.map((domain) => [domain, new BoundedMap<string, Settled>(maxSettled)])),
)

/** The rows of a listing never change: each is priced and settled once, and kept while it is on the board. */
const readRecord = (domain: Domain, settled: BoundedMap<string, Settled>, files: RowFiles["Type"]) => {
  const hashListing = (listing: Listing): number => hashSeed(JSON.stringify(listing))
  const isMissing = (listing: Listing): boolean => settled.get(listing.ticker)?.of !== hashListing(listing)
  return (at: number): Effect.Effect<DomainRecord, never, Finals | Pricers> =>
    Effect.gen(function* () {
      if (domain === "mlb") yield* baseballReady(at, 0)
      const listings = listSettled(domain, at)
      if (listings.some(isMissing)) for (const [ticker, one] of yield* files.read(domain)) settled.set(ticker, one)
      // In order of capture: a tape is extended forwards, and drawn again from its beginning for an earlier time.
      const missing = listings.filter(isMissing).sort((a, b) => findCaptureTime(a) - findCaptureTime(b))
      if (domain === "mlb" && missing.length > 0) yield* baseballReady(at)
      const captured = yield* Effect.forEach(missing, (listing) =>
        Effect.zipLeft(drawCapture(listing), yieldToEventLoop),
      )
      for (const [index, one] of captured.entries()) {
        settled.set(one.listing.ticker, { of: hashListing(one.listing), rows: yield* settledRows(one, at) })
        if (index % few === few - 1) yield* yieldToEventLoop
      }
      const board = listings.map(({ ticker }) => [ticker, settled.get(ticker)!] as const)
      if (missing.length > 0) yield* files.write(domain, board)
      const rows = board.flatMap(([, one]) => one.rows)
      return {
        rows,
        scored: rows.filter((row) => Board.headToHead(row) !== undefined).sort(compareRows),
        settledAt: Math.max(0, ...listings.map(({ settlesAt }) => settlesAt)),
      }
    })
}

/** The forecasts without a result by the last full hour, each made once. */
const readForecasts = () => {
  let known = new Map<string, ReadonlyArray<Forecast>>()
  return (at: number): Effect.Effect<ReadonlyArray<Forecast>, never, Pricers> =>
    Effect.gen(function* () {
      if (listTrading("mlb", at).length > 0) yield* baseballReady(at)
      const byDay = new Map<string, ReadonlyArray<Forecast>>()
      const listings = listCaptured(at, Math.floor(at / hour) * hour)
      for (const listing of [...listings].sort((a, b) => findCaptureTime(a) - findCaptureTime(b))) {
        yield* yieldToEventLoop
        byDay.set(
          listing.ticker,
          known.get(listing.ticker) ??
            (yield* drawCapture(listing)).contracts.map((contract) => toForecast(listing, contract)),
        )
      }
      known = byDay
      return [...byDay.values()].flat()
    })
}

/** The value of each period, computed once for all callers, by a fiber that an interrupted caller does not stop. */
const makeLatest = <A>(
  scope: Scope.Scope,
  every: number,
  compute: (at: number) => Effect.Effect<A>,
): Effect.Effect<A> => {
  let last: { readonly at: number; readonly computed: Fiber.RuntimeFiber<A> } | undefined
  const one = Effect.unsafeMakeSemaphore(1)
  const computing = (at: number): Effect.Effect<Fiber.RuntimeFiber<A>> =>
    Effect.suspend(() =>
      last?.at === at
        ? Effect.succeed(last.computed)
        : Effect.map(Effect.forkIn(Effect.interruptible(one.withPermits(1)(compute(at))), scope), (computed) => {
            last = { at, computed }
            return computed
          }),
    ).pipe(Effect.uninterruptible)
  return Step.gen(function* () {
    const at = Math.floor((yield* Step.now) / every) * every
    const known = last?.at === at ? last.computed.unsafePoll() : null
    return yield* known ?? Effect.flatMap(computing(at), Fiber.join)
  })
}

/** The numbers of open and of awaiting contracts at the last full hour. */
const tracking = Step.map(Step.now, (now) => {
  const at = Math.floor(now / hour) * hour
  return {
    openTracked: domains.reduce((sum, domain) => sum + count(listTrading(domain, at)), 0),
    awaitingSettlement: domains.reduce((sum, domain) => sum + count(listAwaiting(domain, at)), 0),
  }
})

const readOpen = (at: number): Effect.Effect<OpenContractList, never, Pricers> =>
  Effect.gen(function* () {
    yield* yieldToEventLoop
    if (listTrading("mlb", at).length > 0) yield* baseballReady(at)
    yield* yieldToEventLoop
    return { contracts: yield* priceOpen(at), checkedAt: at }
  })

const countAll = (records: Iterable<Effect.Effect<DomainRecord>>): Effect.Effect<CurrentScoreboard> =>
  Effect.gen(function* () {
    const board = Board.empty()
    let settledAt = 0
    for (const record of records) {
      const { rows, settledAt: last } = yield* record
      for (const [index, row] of rows.entries()) {
        Board.add(board, row)
        if (index % stretch === stretch - 1) yield* yieldToEventLoop
      }
      settledAt = Math.max(settledAt, last)
    }
    return { board, settledAt }
  })

const make = Effect.gen(function* () {
  const context = yield* Effect.context<Finals | Pricers>()
  const scope = yield* Effect.scope

  /** The board computed last, and its hour. */
  let latest: (CurrentScoreboard & { readonly at: number }) | undefined

  /** By domain, so that no domain waits for another one's model. */
  const settled = getSettledCache(yield* ActiveModel)
  const files = yield* RowFiles
  const records = new Map(
    domains.map((domain) => {
      const record = readRecord(domain, settled.get(domain)!, files)
      return [domain, makeLatest(scope, hour, (at) => Effect.provide(record(at), context))]
    }),
  )
  const board = makeLatest(scope, hour, (at) =>
    Effect.map(countAll(records.values()), (current) => {
      latest = { at, ...current }
      return latest
    }),
  )
  const rows = Effect.map(Effect.all([...records.values()]), (all) => all.flatMap((record) => record.rows))
  const challengers = makeLatest(scope, hour, () =>
    Effect.gen(function* () {
      const known = yield* Effect.all([...records.values()])
      return yield* scoreInvented(
        known.flatMap(({ scored }) => scored),
        known.reduce((last, { settledAt }) => Math.max(last, settledAt), 0),
      )
    }),
  )
  const open = makeLatest(scope, minute, (at) => Effect.provide(readOpen(at), context))

  const read = readForecasts()
  const forecasts = makeLatest(scope, minute, (at) => Effect.provide(read(at), context))

  yield* warmUp(board)
  return Layer.mergeAll(
    Layer.succeed(SettledRows, {
      freshness: "mock",
      after: (domain, position, limit) =>
        Step.map(records.get(domain)!, ({ scored }) => pageAfter(scored, position, limit)),
    }),
    Layer.succeed(Scoreboard, {
      ...{ freshness: "mock", current: board, weights: Effect.succeed(published) },
      latest: Step.gen(function* () {
        const found = latest
        // The next one is computed in the background, so that no call waits for it.
        if (found !== undefined && found.at + hour <= (yield* Step.now)) yield* Effect.forkIn(board, scope)
        return found
      }),
    }),
    Layer.succeed(OpenContracts, { freshness: "mock", tracking, open }),
    Layer.succeed(MarketHistory, yield* history),
    Layer.succeed(Challenge, buildChallenge(challengers, rows)),
    Layer.succeed(Generated, { rows, forecasts }),
    overLanes.layerSignalCalls(pricings),
  )
})

/**
 * A venue over the other mock lanes: its contracts are about their schedules, forecasts and tape, are priced by their
 * signals as any call is answered, and settle on their finals. The market is the model with noise added, in football
 * the bookmakers' line, so its record does not show how good the models are. The same on every run at the same time;
 * nothing is stored.
 */
export const layer: Layer.Layer<Generated | MarketsPorts, never, Finals | Pricers> = Layer.unwrapScoped(make)
