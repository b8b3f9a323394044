import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { modules } from "../../adapters/lanes/all.ts"
import { laneSettings } from "../../services/config/lanes.ts"

const configured = (values: Readonly<Record<string, string>>) =>
  laneSettings(modules).pipe(Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values)))))

describe("the address of a venue", () => {
  it.effect("is the one that it recommends", () =>
    Effect.gen(function* () {
      const { upstreams } = yield* configured({ TERMS_ACCEPTED: "kalshi,polymarket" })
      assert.deepInclude(upstreams, {
        kalshi: "https://external-api.kalshi.com/trade-api/v2",
        polymarket: "https://gamma-api.polymarket.com",
      })
    }),
  )

  it.effect("may be the older one", () =>
    Effect.gen(function* () {
      const older = "https://api.elections.kalshi.com/trade-api/v2"
      const { upstreams } = yield* configured({ TERMS_ACCEPTED: "kalshi", KALSHI_URL: older })
      assert.strictEqual(upstreams.kalshi, older)
    }),
  )
})
