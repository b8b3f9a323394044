import * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import { gapText, isBehind } from "../../../core/feeds/Due.ts"
import { Feeds } from "../../../core/feeds/Feeds.ts"
import { type Job, makeJob } from "../../../core/jobs/Job.ts"
import { every, hourly } from "../../../core/jobs/schedule.ts"
import { Crypto } from "../../../core/lanes/crypto/Crypto.ts"
import { captureSignals } from "../../../core/lanes/crypto/capture.ts"
import { tapeFeeds } from "../../../core/lanes/crypto/coverage.ts"
import { type Asset, assets } from "../../../core/lanes/crypto/fields.ts"
import { CandleStore, Tape } from "../../../core/lanes/crypto/ports.ts"
import { type Synced, syncTape } from "../../../core/lanes/crypto/syncTape.ts"
import type { Captures } from "../../../core/record/captures/Captures.ts"
import type { RecordInputs } from "../../../core/record/captures/RecordInputs.ts"
import type { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import { plural } from "../../../core/text.ts"
import { minute } from "../../../core/time.ts"
import { onTime } from "../../runtime/scheduler/onTime.ts"
import { Transactions } from "../../store/engine/Transactions.ts"
import * as Module from "../LaneModule.ts"
import * as coinbase from "./coinbase.ts"
import * as kraken from "./kraken.ts"
import * as mock from "./mock/tape.ts"
import * as candles from "./store/Candles.ts"
import { coverageOf } from "./store/coverage.ts"

/** Retention of the tape, days. The longest window needs seven. */
const keptDays = 30

const tapeSchedule = every(1, 5)

const summaryLine = ({ asset, stored, revised, missing, failures }: Synced): string =>
  [
    `${asset} ${stored} new, ${revised > 0 ? `${revised} revised by the exchange, ` : ""}${missing} missing`,
    ...failures,
  ].join("; ")

type Ended = Either.Either<Synced, Failure>

/** Why an asset's sources were not read, all or in part; empty: they were. */
const refusalsOf = (ended: Ended): ReadonlyArray<string> =>
  Either.match(ended, { onLeft: ({ message }) => [message], onRight: ({ failures }) => failures })

/** Reports the attempts, and fails where a source is refused or a tape is late; what the others brought is stored. */
const summarize = (ended: ReadonlyArray<Ended>): Effect.Effect<string, Failure, Feeds> =>
  Effect.gen(function* () {
    const feeds = yield* Feeds
    const at = yield* Clock.currentTimeMillis
    const refusals = ended.map(refusalsOf)
    yield* feeds.attempted(
      assets.map((asset, index) => ({
        ...{ feed: tapeFeeds[asset], at },
        ...(refusals[index]!.length > 0 && { refusal: refusals[index]!.join(" ") }),
      })),
    )
    const covered = yield* Effect.forEach(assets, (asset) => feeds.coverage(tapeFeeds[asset]))
    const late = assets.flatMap((asset, index) => {
      const coverage = covered[index]
      return coverage !== undefined && isBehind(coverage) ? [`late: ${gapText(tapeFeeds[asset], coverage)}`] : []
    })
    const tapes = ended.map((one, index) =>
      Either.match(one, { onLeft: ({ message }) => `${assets[index]} ${message}`, onRight: summaryLine }),
    )
    const refused = refusals.flat().length
    if (refused + late.length === 0) return tapes.join("; ")
    const counts = `${plural(refused, "source")} refused, ${plural(late.length, "tape")} late`
    return yield* fail(refused > 0 ? "upstream_unavailable" : "data_freshness_stale", {
      detail: [counts, ...late, ...tapes].join("; "),
    })
  })

/** Every minute: fetches missing candles, from Coinbase first and Kraken second; checks the whole week once an hour. */
export const tapeJob = ({
  userAgent,
  ...urls
}: {
  readonly coinbase: string
  readonly kraken: string
  /** Coinbase rejects requests without one, and a library's default names no contact. */
  readonly userAgent: string
}): Effect.Effect<Job, never, CandleStore | Feeds | HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const feeds = yield* Feeds
    const client = yield* HttpClient.HttpClient
    const store = yield* CandleStore
    const policy = { headers: { "user-agent": userAgent } }
    const sources = [
      ...(urls.coinbase === "" ? [] : [coinbase.make(client, urls.coinbase, policy)]),
      ...(urls.kraken === "" ? [] : [kraken.make(client, urls.kraken, policy)]),
    ]
    const filled = new Map<Asset, number>()

    const sync = (asset: Asset, hour: number): Effect.Effect<Synced, Failure> =>
      syncTape(asset, sources, filled.get(asset) !== hour).pipe(
        // An interrupted fill starts again in the next minute.
        Effect.tap(({ failures }) => Effect.sync(() => failures.length === 0 && filled.set(asset, hour))),
        Effect.provideService(CandleStore, store),
      )

    return {
      name: "crypto-tape",
      description: "Fetch missing one-minute candles.",
      // Five seconds after the minute: exchanges close a candle with a delay.
      schedule: tapeSchedule,
      catchUp: "latest",
      limit: "5 minutes",
      run: Effect.gen(function* () {
        const current = Math.floor((yield* Clock.currentTimeMillis) / minute)
        // One asset's outage must not affect the other.
        const results = yield* Effect.forEach(assets, (asset) => Effect.either(sync(asset, Math.floor(current / 60))))
        if (current % 60 === 0) yield* store.prune(current - keptDays * 1440)
        return yield* Effect.provideService(summarize(results), Feeds, feeds)
      }),
    }
  })

/** Every hour: captures one signal per asset. */
export const captureJob: Effect.Effect<Job, never, Captures | Crypto | SyncSha256 | RecordInputs | PlatformCrypto> =
  makeJob({
    name: "crypto-capture",
    description: "Capture one hour-ahead signal per asset for the public record.",
    schedule: hourly(0),
    // A missed slot is not made up.
    catchUp: "none",
    run: onTime("its signal", (slot) => Effect.map(captureSignals(slot), (taken) => `${taken} captured`)),
  })

const refused = Layer.succeed(Tape, {
  freshness: "live",
  window: () => Effect.fail(Module.termsNotAccepted(coinbase.coinbase, kraken.kraken)),
})

const exchanges = (settings: Module.Settings<"coinbase" | "kraken">) => Module.enabled(settings, "coinbase", "kraken")

/** The crypto lane: one-minute candles of Coinbase, with gaps filled from Kraken, in the store. */
export const crypto = Module.define(Crypto, {
  upstreams: { coinbase: coinbase.coinbase, kraken: kraken.kraken },
  stores: candles.layerStore,
  mock: mock.layer,
  live: (settings) => (exchanges(settings).length === 0 ? refused : candles.layerTape),
  // Mock and live prices never agree: compares whether both have a tape, and its age.
  shadowed: [
    Module.compared(Tape, {
      window: (mock, live) => {
        if (mock === undefined || live === undefined) return mock === live ? undefined : "only one has a tape"
        const late = mock.lastMinute - live.lastMinute
        return Math.abs(late) <= 2 ? undefined : `the live tape is ${late} minutes behind`
      },
    }),
  ],
  // Mock and shadow answers are never recorded; shadow needs a real tape to compare.
  jobs: ({ mode, settings }) =>
    Effect.all(
      mode === "mock" || exchanges(settings).length === 0
        ? []
        : [tapeJob(settings), ...(mode === "live" ? [captureJob] : [])],
    ),
  feeds: ({ settings }) =>
    Effect.map(Transactions, (transactions) =>
      (exchanges(settings).length === 0 ? [] : assets).map((asset) => ({
        feed: tapeFeeds[asset],
        upstreams: exchanges(settings),
        schedule: tapeSchedule,
        coverage: coverageOf(transactions, asset),
      })),
    ),
})
