import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { Feeds } from "../../../core/feeds/Feeds.ts"
import type { Crypto } from "../../../core/lanes/crypto/Crypto.ts"
import { tapeFeeds } from "../../../core/lanes/crypto/coverage.ts"
import { assets } from "../../../core/lanes/crypto/endpoints.ts"
import { crypto as definition } from "../../../core/lanes/crypto/lane.ts"
import { type CandleStore, Tape } from "../../../core/lanes/crypto/ports.ts"
import type { Captures } from "../../../core/record/captures/Captures.ts"
import type { RecordInputs } from "../../../core/record/captures/RecordInputs.ts"
import type { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import { Transactions } from "../../store/engine/Transactions.ts"
import { compared, type LaneModule } from "../LaneModule.ts"
import { bench } from "./benchFiles.ts"
import { captureJob, tapeJob, tapeSchedule } from "./jobs.ts"
import * as mock from "./mock/tape.ts"
import * as candles from "./store/Candles.ts"
import { coverageOf } from "./store/coverage.ts"

/** The crypto lane: one-minute candles of Coinbase, with gaps filled from Kraken, in the store. */
export const crypto: LaneModule<
  typeof Crypto.lane,
  Tape,
  CandleStore,
  never,
  "coinbase" | "kraken",
  CandleStore | Captures | Crypto | Feeds | SyncSha256 | HttpClient.HttpClient | RecordInputs | PlatformCrypto
> = {
  definition,
  upstreams: { coinbase: "https://api.exchange.coinbase.com", kraken: "https://api.kraken.com" },
  clients: () => Layer.empty,
  stores: candles.layerStore,
  mock: mock.layer,
  live: () => candles.layerTape,
  // Mock and live prices never agree: compares whether both have a tape, and its age.
  shadowed: [
    compared(Tape, {
      window: (mock, live) => {
        if (mock === undefined || live === undefined) return mock === live ? undefined : "only one has a tape"
        const late = mock.lastMinute - live.lastMinute
        return Math.abs(late) <= 2 ? undefined : `the live tape is ${late} minutes behind`
      },
    }),
  ],
  // Mock and shadow answers are never recorded; shadow needs a real tape to compare.
  jobs: ({ mode, settings }) =>
    Effect.all([...(mode === "mock" ? [] : [tapeJob(settings)]), ...(mode === "live" ? [captureJob] : [])]),
  feeds: () =>
    Effect.map(Transactions, (transactions) =>
      assets.map((asset) => ({
        feed: tapeFeeds[asset],
        upstreams: ["coinbase", "kraken"],
        schedule: tapeSchedule,
        coverage: coverageOf(transactions, asset),
      })),
    ),
  bench,
}
