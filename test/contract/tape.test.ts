import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import * as mock from "../../adapters/lanes/crypto/mock/tape.ts"
import { crypto } from "../../adapters/lanes/crypto/module.ts"
import * as sqlCandles from "../../adapters/lanes/crypto/store/Candles.ts"
import type { Mode } from "../../adapters/lanes/LaneModule.ts"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import type { DiskSpace } from "../../adapters/store/engine/diskGuard.ts"
import type { Sqlite } from "../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import type { Transactions } from "../../adapters/store/engine/Transactions.ts"
import * as ApiKey from "../../core/account/ApiKey.ts"
import { Keyring } from "../../core/account/Keyring.ts"
import { Ledger } from "../../core/account/Ledger.ts"
import { BaseUrl } from "../../core/call/BaseUrl.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { LaneSets } from "../../core/endpoint/LaneSets.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"
import { Crypto } from "../../core/lanes/crypto/Crypto.ts"
import { endpoints } from "../../core/lanes/crypto/endpoints.ts"
import { assets } from "../../core/lanes/crypto/fields.ts"
import { type Candle, CandleStore, Tape } from "../../core/lanes/crypto/ports.ts"
import { standalone } from "../support/standalone.ts"
import { tapeContract } from "./tape.ts"

const now = Date.UTC(2026, 6, 8, 14, 30, 20)
const nowMinute = Math.floor(now / 60_000)

/** Two hours and a half of trading, not that of the mock, with some minutes without any. */
const traded = (asset: "BTC" | "ETH"): ReadonlyArray<Candle> =>
  Array.from(mock.closes(asset, nowMinute - 10_150, nowMinute - 10_000), (close, at) => ({
    minute: nowMinute - 150 + at,
    high: close,
    low: close,
    close,
    volume: 1,
  })).filter(({ minute }) => minute % 37 !== 0)

/** A store with a tape. */
const stored: Layer.Layer<DiskSpace | SqlClient.SqlClient | Sqlite | Transactions, sqlite.StoreError> =
  Layer.effectDiscard(
    Effect.flatMap(CandleStore, ({ append }) =>
      Effect.forEach(assets, (asset) => append(asset, "coinbase", traded(asset))),
    ).pipe(Effect.provide(sqlCandles.layerStore), Effect.orDie),
  ).pipe(Layer.provideMerge(sqlite.layer(":memory:")))

const nowhere = {
  coinbase: "http://127.0.0.1:9",
  kraken: "http://127.0.0.1:9",
  userAgent: "tests",
}
const ports = (mode: Mode) =>
  standalone(crypto, mode, nowhere).pipe(
    Layer.provide([Feeds.layerNone, FetchHttpClient.layer, hasher.layer, secrets.layer]),
  )

for (const mode of ["mock", "shadow", "live"] as const) {
  tapeContract(`mode ${mode}`, ports(mode).pipe(Layer.provide(stored)), { now })
}

describe("a store without candles", () => {
  it.effect("has no tape", () =>
    Effect.gen(function* () {
      const tape = yield* Tape
      for (const asset of assets) assert.isUndefined(yield* tape.window(asset, 120))
    }).pipe(Effect.provide(sqlCandles.layerTape.pipe(Layer.provide(sqlite.layer(":memory:"))))),
  )
})

const catalogue = Catalogue.make(Crypto.lane)
const token = ApiKey.fromBytes("live", new Uint8Array(32).fill(3))
const caller = { accountId: "account", keyId: "key", livemode: true, perMinute: 6_000 }

/** The lane behind the gateway, asked as a transport asks. */
const gateway = (
  mode: Mode,
  store: Layer.Layer<DiskSpace | SqlClient.SqlClient | Sqlite | Transactions, sqlite.StoreError> = stored,
) => {
  const lane = (of: Mode) => Crypto.layer.pipe(Layer.provide([Feeds.layerNone, ports(of)]))
  return Gateway.layer(catalogue).pipe(
    Layer.provide([
      LaneSets.layer(catalogue, { test: lane("mock"), live: lane(mode) }),
      Keyring.layerMemory([[token, caller]]),
      BaseUrl.layer("https://api.test"),
      Ledger.layerMemory([["account", 1_000_000]]),
    ]),
    Layer.provide(Gateway.layerDefaults),
    Layer.provide(Layer.merge(secrets.layer, store)),
  )
}

const get = (id: "crypto_spot" | "crypto_signal", query: string) =>
  Effect.flatMap(Gateway, ({ serve }) =>
    serve(
      catalogue.byId.get(id)!,
      { _tag: "Text", entries: [...new URLSearchParams(query)] },
      { authorization: `Bearer ${token}` },
    ),
  ).pipe(
    Effect.map(({ status, body }) => {
      const { _meta, ...rest } = JSON.parse(body.toText())
      return { status, _meta, rest }
    }),
  )

const asked = [
  ["crypto_spot", ""],
  ["crypto_spot", "asset=ETH"],
  ["crypto_signal", ""],
  ["crypto_signal", "asset=ETH&horizon_minutes=5"],
  ["crypto_signal", "horizon_minutes=1440&strikes=60000,70000.5"],
] as const

const keysOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.slice(0, 1).map(keysOf)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, keysOf(inner)]))
      : typeof value

const slim = {
  crypto_spot: {
    asset: "string",
    spot: "number",
    realized_vol: { sigma_1h: "number", expected_move_1h_usd: "number", annualized_est: "number", window: "string" },
    tape: { source: "string", last_candle_age_s: "number", stale: "boolean" },
  },
  crypto_signal: {
    asset: "string",
    spot: "number",
    horizon_minutes: "number",
    sigma_ln: "number",
    expected_move_1sd_usd: "number",
    annualized_vol_est: "number",
    p_above: [{ strike: "number", p_above: "number" }],
    market_note: "string",
  },
}

const full = {
  crypto_spot: Schema.is(endpoints.spot.results, { onExcessProperty: "error" }),
  crypto_signal: Schema.is(endpoints.signal.results, { onExcessProperty: "error" }),
}

describe("the endpoints", () => {
  for (const mode of ["mock", "shadow", "live"] as const) {
    for (const [id, query] of asked) {
      it.effect(`in mode ${mode}: ${id}?${query} has the shape of its schema`, () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(now)
          const short = yield* get(id, query)
          assert.strictEqual(short.status, 200)
          assert.deepStrictEqual(keysOf(short.rest.results), slim[id])
          assert.strictEqual(short._meta.data_freshness, mode)
          assert.strictEqual(short._meta.price.charged_micros, id === "crypto_spot" ? 0 : 10_000)
          const long = yield* get(id, `${query}&verbose=true`)
          assert.strictEqual(long.status, 200)
          assert.isTrue(full[id](long.rest.results))
          assert.deepInclude(long.rest.results, short.rest.results)
        }).pipe(Effect.provide(gateway(mode))),
      )
    }
  }

  it.effect("answer in shadow as in mock, but for _meta", () =>
    Effect.gen(function* () {
      for (const store of [stored, sqlite.layer(":memory:")]) {
        for (const [id, query] of asked) {
          for (const more of ["", "&verbose=true", "&include=_alternatives,_counterfactual"]) {
            yield* TestClock.setTime(now)
            const ask = get(id, query + more)
            const expected = yield* Effect.provide(ask, gateway("mock", store))
            const found = yield* Effect.provide(ask, gateway("shadow", store))
            assert.deepStrictEqual([found.status, found.rest], [200, expected.rest])
            assert.deepStrictEqual([expected._meta.data_freshness, found._meta.data_freshness], ["mock", "shadow"])
          }
        }
      }
    }),
  )

  it.effect("distinguish the live tape from the mock tape", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const live = yield* Effect.provide(get("crypto_spot", ""), gateway("live"))
      const [close] = mock.closes("BTC", nowMinute - 10_001, nowMinute - 10_000)
      assert.strictEqual(live.rest.results.spot, close)
      assert.strictEqual(live.rest.results.tape.source, "coinbase")
    }),
  )

  it.effect("without a live tape answer 503 and cost nothing", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      for (const [id, query] of asked) {
        const { status, rest } = yield* get(id, query)
        assert.deepStrictEqual([status, rest.error.code], [503, "upstream_unavailable"])
        assert.strictEqual(rest.error.retry_after_ms, 60_000)
      }
    }).pipe(Effect.provide(gateway("live", sqlite.layer(":memory:")))),
  )

  it.effect("on a live tape that has stopped: spot says so, signal is 503", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now + 600_000)
      const spot = yield* get("crypto_spot", "")
      assert.deepStrictEqual([spot.status, spot.rest.results.tape.stale], [200, true])
      const signal = yield* get("crypto_signal", "")
      assert.deepStrictEqual(
        [signal.status, signal.rest.error.code, signal.rest.error.retry_after_ms],
        [503, "data_freshness_stale", 60_000],
      )
    }).pipe(Effect.provide(gateway("live"))),
  )
})
