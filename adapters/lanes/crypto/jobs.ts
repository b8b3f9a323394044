import * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import { type Job, makeJob } from "../../../core/jobs/Job.ts"
import { every, hourly } from "../../../core/jobs/schedule.ts"
import type { Crypto } from "../../../core/lanes/crypto/Crypto.ts"
import { captureSignals } from "../../../core/lanes/crypto/capture.ts"
import { type Asset, assets } from "../../../core/lanes/crypto/endpoints.ts"
import { CandleStore } from "../../../core/lanes/crypto/ports.ts"
import { type Synced, syncTape } from "../../../core/lanes/crypto/syncTape.ts"
import type { Captures } from "../../../core/record/captures/Captures.ts"
import type { RecordInputs } from "../../../core/record/captures/RecordInputs.ts"
import type { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import { minute } from "../../../core/time.ts"
import { onTime } from "../../runtime/scheduler/onTime.ts"
import * as coinbase from "./coinbase.ts"
import * as kraken from "./kraken.ts"

/** Retention of the tape, days. The longest window needs seven. */
const keptDays = 30

const summaryLine = ({ asset, stored, missing, failures }: Synced): string =>
  [`${asset} ${stored} new, ${missing} missing`, ...failures].join("; ")

/** Every minute: fetches missing candles, from Coinbase first and Kraken second; checks the whole week once an hour. */
export const tapeJob = ({
  userAgent,
  ...urls
}: {
  readonly coinbase: string
  readonly kraken: string
  /** Coinbase rejects requests without one, and a library's default names no contact. */
  readonly userAgent: string
}): Effect.Effect<Job, never, CandleStore | HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const store = yield* CandleStore
    const policy = { headers: { "user-agent": userAgent } }
    const sources = [coinbase.make(client, urls.coinbase, policy), kraken.make(client, urls.kraken, policy)]
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
      schedule: every(1, 5),
      catchUp: "latest",
      limit: "5 minutes",
      run: Effect.gen(function* () {
        const current = Math.floor((yield* Clock.currentTimeMillis) / minute)
        // One asset's outage must not affect the other.
        const results = yield* Effect.forEach(assets, (asset) => Effect.either(sync(asset, Math.floor(current / 60))))
        if (current % 60 === 0) yield* store.prune(current - keptDays * 1440)
        const said = results.map((result, at) =>
          result._tag === "Right" ? summaryLine(result.right) : `${assets[at]} ${result.left.message}`,
        )
        if (results.every(({ _tag }) => _tag === "Left")) {
          return yield* fail("upstream_unavailable", { detail: said.join("; ") })
        }
        return said.join("; ")
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
