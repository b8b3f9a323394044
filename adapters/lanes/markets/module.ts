import * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ContractPricing } from "../../../core/contracts/ContractPricing.ts"
import type { Failure } from "../../../core/Failure.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import * as Job from "../../../core/jobs/Job.ts"
import { every } from "../../../core/jobs/schedule.ts"
import { pricings } from "../../../core/lanes/all.ts"
import { publishWeights } from "../../../core/lanes/markets/anchorWeights.ts"
import { bookCoverage, bookFeed, resultFeed } from "../../../core/lanes/markets/coverage.ts"
import { Markets, type MarketsPorts } from "../../../core/lanes/markets/Markets.ts"
import * as overLanes from "../../../core/lanes/markets/overLanes.ts"
import { type BookPoll, OpenContracts, Venues } from "../../../core/lanes/markets/ports.ts"
import { capture, captureSlots, type PollResult, refresh, settle } from "../../../core/lanes/markets/rounds.ts"
import * as Step from "../../../core/Step.ts"
import { runOnTime } from "../../runtime/scheduler/onTime.ts"
import { Transactions } from "../../store/engine/Transactions.ts"
import * as settled from "../../store/record/Settled.ts"
import type { LaneFeed } from "../feeds.ts"
import * as Module from "../LaneModule.ts"
import * as kalshi from "./kalshi/venue.ts"
import * as mock from "./mock/markets.ts"
import * as polymarket from "./polymarket/venue.ts"
import * as challenge from "./store/Challenge.ts"
import * as contracts from "./store/Contracts.ts"
import * as history from "./store/History.ts"
import { openSteps } from "./store/openSteps.ts"

/** The summary line of a round; fails if a source or a part of it was not read. */
const summaryLine =
  (what: string) =>
  ({ done, warnings, refusals, failures: [failure] }: PollResult): Effect.Effect<string, Failure> =>
    Job.summary(
      [
        {
          counts: { [what]: done },
          notes: warnings.slice(refusals.length),
          refusals: refusals.map(({ reason }) => reason),
        },
      ],
      ifDefined("code", failure?.code),
    )

const quotesSchedule = every(1, 20)
const settleSchedule = every(15, 300)

/** Every minute: polls the venues' open contracts and prices them. */
export const quotesJob = Job.makeJob({
  name: "markets-quotes",
  description: "Poll the venues' open contracts and price them.",
  schedule: quotesSchedule,
  catchUp: "latest",
  limit: "5 minutes",
  run: refresh.pipe(Effect.flatMap(summaryLine("contracts priced"))),
})

/** Every hour: captures model and venue prices, with the models' inputs. */
export const captureJob = Job.makeJob({
  name: "markets-capture",
  description: "Capture model and venue prices of all open contracts.",
  schedule: captureSlots,
  // A missed slot is not made up.
  catchUp: "none",
  run: runOnTime("its captures", (slot) => Effect.flatMap(capture(slot), summaryLine("contracts captured"))),
})

/**
 * Four times an hour: settles contracts by the venues' results and the models' own sources; the first run of a UTC day
 * publishes the weights of the models beside the prices. A late run gives the same.
 */
export const settleJob = Job.makeJob({
  name: "markets-settle",
  description: "Settle and score captured contracts by the venues' results and the models' own sources.",
  schedule: settleSchedule,
  catchUp: "latest",
  run: settle.pipe(Effect.zipLeft(publishWeights), Effect.flatMap(summaryLine("rows settled"))),
})

/** Feeds of the books: each venue is polled once a minute; in live mode its results are read as well. */
const bookFeeds = (
  followed: ReadonlyArray<Pick<BookPoll, "venue" | "domain">>,
  mode: Module.Mode,
): Effect.Effect<ReadonlyArray<LaneFeed>, never, Transactions> =>
  Effect.map(Transactions, (transactions) => {
    const { polls } = openSteps(transactions)
    return [...new Set(followed.map(({ venue }) => venue))].flatMap((name): ReadonlyArray<LaneFeed> => {
      const books = followed.filter(({ venue }) => venue === name)
      const coverage = (now: number) =>
        Step.map(transactions.read(polls), (polled) =>
          bookCoverage(
            books.map((book) => polled.find(({ venue, domain }) => venue === name && domain === book.domain) ?? book),
            now,
          ),
        )
      return [
        { feed: bookFeed(name), upstreams: [name], schedule: quotesSchedule, coverage },
        ...(mode === "live" ? [{ feed: resultFeed(name), upstreams: [name], schedule: settleSchedule }] : []),
      ]
    })
  })

type Upstream = "kalshi" | "polymarket"

/** The venues, limited to the tracked domains. */
const venues = (followed: ReadonlyArray<ContractPricing>, { userAgent, ...urls }: Module.Settings<Upstream>) =>
  Layer.effect(
    Venues,
    Effect.map(HttpClient.HttpClient, (client) => {
      const policy = { headers: { "user-agent": userAgent } }
      const domains = followed.map(({ domain }) => domain)
      const all = [
        ...(urls.kalshi === "" ? [] : [kalshi.make(client, urls.kalshi, pricings, policy)]),
        ...(urls.polymarket === "" ? [] : [polymarket.make(client, urls.polymarket, policy)]),
      ]
      return all.map((venue) => ({ ...venue, domains: venue.domains.filter((domain) => domains.includes(domain)) }))
    }),
  )

const polledBooks = (modes: Readonly<Record<string, Module.Mode>>, settings: Module.Settings<Upstream>) => {
  const names: ReadonlyArray<string> = Module.enabled(settings, "kalshi", "polymarket")
  return Module.followed(pricings, modes).flatMap(({ domain, series }) =>
    Object.keys(series).flatMap((venue) => (names.includes(venue) ? [{ venue, domain }] : [])),
  )
}

const refused = Layer.map(contracts.layerOpenContracts([]), (context) =>
  Context.add(context, OpenContracts, {
    ...Context.get(context, OpenContracts),
    open: Effect.fail(Module.termsNotAccepted(kalshi.kalshi, polymarket.polymarket)),
  }),
)

/** The models' prices, the sources of results, and the venues of the tracked domains. */
export const sources = (modes: Readonly<Record<string, Module.Mode>>, settings: Module.Settings<Upstream>) =>
  Layer.mergeAll(
    overLanes.layerModels(pricings),
    overLanes.layerSourceResults(pricings),
    venues(Module.followed(pricings, modes), settings),
  )

/** The lane's ports, without those that generate them. */
const generated: Layer.Layer<MarketsPorts, never, Layer.Layer.Context<typeof mock.layer>> = mock.layer

/** The markets lane: the venues' contracts, priced by the served signals of the other lanes. */
export const markets = Module.define(Markets, {
  upstreams: { kalshi: kalshi.kalshi, polymarket: polymarket.polymarket },
  stores: contracts.layerStore,
  mock: generated,
  // Live and mock rows are separate.
  live: (settings, modes) =>
    Layer.mergeAll(
      settled.layerSettledRows,
      settled.layerScoreboard,
      Module.enabled(settings, "kalshi", "polymarket").length === 0
        ? refused
        : contracts.layerOpenContracts(polledBooks(modes, settings)),
      challenge.layer,
      history.layer,
      overLanes.layerSignalCalls(pricings),
    ),
  shadowed: [OpenContracts],
  // Shadow compares with real quotes; only live lanes' signals are recorded and scored.
  jobs: ({ mode, modes, settings }) =>
    Effect.all(
      polledBooks(modes, settings).length === 0 ? [] : [quotesJob, ...(mode === "live" ? [captureJob, settleJob] : [])],
    ).pipe(Effect.provide(sources(modes, settings))),
  feeds: ({ mode, modes, settings }) => bookFeeds(polledBooks(modes, settings), mode),
})
