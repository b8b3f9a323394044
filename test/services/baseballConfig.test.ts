import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { config } from "../../services/Config.ts"

const read = (environment: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map(Object.entries(environment))))

describe("the configuration of the baseball lane", () => {
  it.effect("accepts no terms and queries no upstream unless configured", () =>
    Effect.gen(function* () {
      const { baseball, termsAccepted, upstreams } = yield* read({})
      assert.deepStrictEqual(
        [baseball, termsAccepted["baseball"], upstreams.mlb],
        ["mock", false, "https://statsapi.mlb.com"],
      )
      const told = yield* read({
        DATA_FRESHNESS_BASEBALL: "live",
        MLB_TERMS_ACCEPTED: "yes",
        MLB_URL: "http://127.0.0.1:9/",
      })
      assert.deepStrictEqual(
        [told.baseball, told.termsAccepted["baseball"], told.upstreams.mlb, told.crypto],
        ["live", true, "http://127.0.0.1:9", "mock"],
      )
    }),
  )

  it.effect("takes yes or no for an answer, and nothing else", () =>
    Effect.gen(function* () {
      assert.isFalse((yield* read({ MLB_TERMS_ACCEPTED: "no" })).termsAccepted["baseball"]!)
      for (const text of ["true", "YES", "1"]) {
        const error = yield* Effect.flip(read({ MLB_TERMS_ACCEPTED: text }))
        assert.include(String(error), "Expected yes or no.")
      }
    }),
  )
})
