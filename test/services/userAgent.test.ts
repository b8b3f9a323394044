// Proof: takes five seconds or more.
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import { runOnce } from "../../adapters/runtime/scheduler/runOnce.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { Jobs } from "../../services/jobs.ts"
import { replay } from "../support/replay.ts"
import { settings } from "../support/running.ts"
import { jobsOf } from "../support/world.ts"

const userAgent = "market-signals (operator@example.com)"

/** The jobs that ask sources, with those that they ask. */
const asking = {
  "crypto-tape": ["coinbase", "kraken"],
  "football-ingest": ["nflverse"],
  "markets-quotes": ["kalshi", "polymarket"],
  "weather-reports": ["nws", "iem"],
} as const

it.scopedLive("every job tells its sources whom they may write to", () =>
  Effect.gen(function* () {
    const live = { crypto: "live", football: "live", markets: "live", weather: "live" } as const
    for (const [job, names] of Object.entries(asking)) {
      const hosts = yield* Effect.all(Object.fromEntries(names.map((name) => [name, replay([])])))
      const base = settings(live)
      const urls = Object.fromEntries(names.map((name) => [name, hosts[name]!.url]))
      const config = { ...base, upstreams: { ...base.upstreams, ...urls, userAgent } }
      yield* Effect.gen(function* () {
        yield* runOnce((yield* Jobs).find(({ name }) => name === job)!)
      }).pipe(Effect.provide(jobsOf(config).pipe(Layer.provide(Layer.merge(sqlite.layer(":memory:"), secrets.layer)))))
      for (const name of names) {
        const agents = hosts[name]!.requests.map(({ headers }) => headers["user-agent"])
        assert.deepStrictEqual([name, [...new Set(agents)]], [name, [userAgent]])
      }
    }
  }),
)
