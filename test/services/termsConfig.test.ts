import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { config } from "../../services/Config.ts"
import { restrictedSources } from "../../services/probes.ts"
import { type Running, start } from "../support/running.ts"

const read = (environment: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map(Object.entries(environment))))

const restricted = ["twc", "mlb", "coinbase", "kraken", "kalshi", "polymarket"] as const

describe("sources whose terms restrict what may be done with their data", () => {
  it.effect("are off until the operator names them", () =>
    Effect.gen(function* () {
      const none = yield* read({})
      assert.deepStrictEqual(
        restricted.map((name) => none.upstreams[name]),
        ["", "", "", "", "", ""],
      )
      // The page of The Weather Company is off without an address, too.
      assert.deepStrictEqual(none.unaccepted, ["mlb", "coinbase", "kraken", "kalshi", "polymarket"])
      assert.strictEqual(none.upstreams.nws, "https://api.weather.gov")
      const some = yield* read({
        TERMS_ACCEPTED: "kraken, mlb",
        TWC_URL: "http://127.0.0.1:9",
        MLB_URL: "http://127.0.0.1:9/",
      })
      assert.deepStrictEqual(
        restricted.map((name) => some.upstreams[name]),
        ["", "http://127.0.0.1:9", "", "https://api.kraken.com", "", ""],
      )
      assert.deepStrictEqual(some.unaccepted, ["twc", "coinbase", "kalshi", "polymarket"])
    }),
  )

  it.effect("are named as they are, and no others", () =>
    Effect.gen(function* () {
      for (const text of ["yes", "mlb,nws", "MLB"]) {
        const error = yield* Effect.flip(read({ TERMS_ACCEPTED: text }))
        assert.include(String(error), "Expected some of twc, mlb, coinbase, kraken, kalshi, polymarket")
      }
      assert.deepStrictEqual((yield* read({ TERMS_ACCEPTED: "" })).unaccepted.length, 5)
    }),
  )

  it.effect("are told with what they restrict, where their lane is not generated", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(restrictedSources(yield* read({ TERMS_ACCEPTED: "kraken" })), [])
      const told = restrictedSources(yield* read({ TERMS_ACCEPTED: "kraken", DATA_FRESHNESS_CRYPTO: "live" }))
      assert.deepStrictEqual(
        told.map(({ name, isAccepted }) => [name, isAccepted]),
        [
          ["coinbase", false],
          ["kraken", true],
        ],
      )
      assert.match(told[0]!.text, /^Coinbase is not read until TERMS_ACCEPTED names coinbase\. .*forbid/)
      assert.match(told[1]!.text, /^Kraken is read, as you comply with its terms\. .*permission/)
    }),
  )

  it.live("are not asked: the lane without any refuses its calls, uncharged", () =>
    Effect.acquireUseRelease(
      Effect.flatMap(read({ TERMS_ACCEPTED: "polymarket" }), ({ upstreams, unaccepted }) =>
        Effect.promise(() => start({ crypto: "live", markets: "live", baseball: "live", upstreams, unaccepted })),
      ),
      (service: Running) =>
        Effect.promise(async () => {
          for (const path of ["/v1/crypto/signal?asset=BTC", "/v1/mlb/games"]) {
            const response = await fetch(`${service.url}${path}`, {
              headers: { authorization: `Bearer ${service.account.live.token}` },
            })
            const body = (await response.json()) as {
              readonly error: { readonly code: string; readonly message: string }
              readonly _billing: { readonly charged_micros: number }
            }
            assert.strictEqual(response.status, 503, path)
            assert.match(body.error.message, /has not accepted the terms of/)
            assert.notProperty(body, "results")
          }
        }),
      (service) => Effect.promise(() => service.stop()),
    ),
  )
})
