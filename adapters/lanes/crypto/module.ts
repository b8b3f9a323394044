import * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Job from "../../../core/jobs/Job.ts"
import { daily, every, hourly } from "../../../core/jobs/schedule.ts"
import { Crypto } from "../../../core/lanes/crypto/Crypto.ts"
import { captureSignals } from "../../../core/lanes/crypto/capture.ts"
import { tapeFeeds } from "../../../core/lanes/crypto/coverage.ts"
import { type Asset, assets } from "../../../core/lanes/crypto/fields.ts"
import { CandleStore, CryptoLaws, Tape } from "../../../core/lanes/crypto/ports.ts"
import { scoreLaws } from "../../../core/lanes/crypto/scoreLaws.ts"
import { syncTape } from "../../../core/lanes/crypto/syncTape.ts"
import { minute } from "../../../core/time.ts"
import { runOnTime } from "../../runtime/scheduler/onTime.ts"
import { Transactions } from "../../store/engine/Transactions.ts"
import * as lawScores from "../../store/record/LawScores.ts"
import * as Module from "../LaneModule.ts"
import * as coinbase from "./coinbase.ts"
import * as kraken from "./kraken.ts"
import * as mock from "./mock/tape.ts"
import * as candles from "./store/Candles.ts"
import { makeCoverage } from "./store/coverage.ts"

/** Retention of the tape, days. The longest window needs seven. */
const keptDays = 30

const tapeSchedule = every(1, 5)

/** Every minute: fetches missing candles, from Coinbase first and Kraken second; checks the whole week once an hour. */
export const tapeJob = ({
  userAgent,
  ...urls
}: {
  readonly coinbase: string
  readonly kraken: string
  /** Coinbase rejects requests without one, and a library's default names no contact. */
  readonly userAgent: string
}) =>
  Effect.flatMap(HttpClient.HttpClient, (client) => {
    const policy = { headers: { "user-agent": userAgent } }
    const sources = [
      ...(urls.coinbase === "" ? [] : [coinbase.make(client, urls.coinbase, policy)]),
      ...(urls.kraken === "" ? [] : [kraken.make(client, urls.kraken, policy)]),
    ]
    const checkedHours = new Map<Asset, number>()
    const read = (asset: Asset, hour: number) =>
      Effect.map(
        syncTape(asset, sources, checkedHours.get(asset) !== hour),
        ({ stored, revised, missing, failures }): Job.Synced => {
          // A fill that failed or was interrupted starts again in the next minute.
          if (failures.length === 0) checkedHours.set(asset, hour)
          return {
            counts: { [`${asset} new`]: stored, [`${asset} missing`]: missing },
            ...(revised > 0 && { notes: [`${revised} of ${asset} revised by the exchange`] }),
            refusals: failures,
          }
        },
      )
    return Job.sync(
      {
        name: "crypto-tape",
        description: "Fetch missing one-minute candles.",
        // Five seconds after the minute: exchanges close a candle with a delay.
        schedule: tapeSchedule,
        limit: "5 minutes",
      },
      Effect.gen(function* () {
        const { prune } = yield* CandleStore
        const current = Math.floor((yield* Clock.currentTimeMillis) / minute)
        if (current % 60 === 0) yield* prune(current - keptDays * 1440)
        return assets.map((asset) => ({ due: tapeFeeds[asset], read: read(asset, Math.floor(current / 60)) }))
      }),
    )
  })

export const captureJob = Job.makeJob({
  name: "crypto-capture",
  description: "Capture one hour-ahead signal per asset for the public record.",
  schedule: hourly(0),
  // A missed slot is not made up.
  catchUp: "none",
  run: runOnTime("its signal", (slot) => Effect.map(captureSignals(slot), (taken) => `${taken} captured`)),
})

const scoresJob = Job.makeJob({
  name: "crypto-scores",
  description: "Score the hourly captures on the tape's closes.",
  schedule: daily("00:30"),
  catchUp: "latest",
  run: Effect.map(scoreLaws, (scored) => `${scored} scored`),
})

const refused = Layer.succeed(Tape, {
  freshness: "live",
  window: () => Effect.fail(Module.termsNotAccepted(coinbase.coinbase, kraken.kraken)),
})

const exchanges = (settings: Module.Settings<"coinbase" | "kraken">) => Module.enabled(settings, "coinbase", "kraken")

/** The crypto lane: one-minute candles of Coinbase, with gaps filled from Kraken, in the store. */
export const crypto = Module.define(Crypto, {
  upstreams: { coinbase: coinbase.coinbase, kraken: kraken.kraken },
  stores: Layer.merge(candles.layerStore, lawScores.layer),
  mock: mock.layer,
  live: (settings) =>
    Layer.merge(
      exchanges(settings).length === 0 ? refused : candles.layerTape,
      lawScores.layerRecord(CryptoLaws, "crypto"),
    ),
  shadowed: [Tape],
  // Mock and shadow answers are never recorded; shadow needs a real tape to compare.
  jobs: ({ mode, settings }) =>
    Effect.all(
      mode === "mock" || exchanges(settings).length === 0
        ? []
        : [tapeJob(settings), ...(mode === "live" ? [captureJob, scoresJob] : [])],
    ).pipe(Effect.provide(candles.layerTape)),
  feeds: ({ settings }) =>
    Effect.map(Transactions, (transactions) =>
      (exchanges(settings).length === 0 ? [] : assets).map((asset) => ({
        feed: tapeFeeds[asset],
        upstreams: exchanges(settings),
        schedule: tapeSchedule,
        coverage: makeCoverage(transactions, asset),
      })),
    ),
})
