import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Sourced } from "../../../../core/lanes/baseball/ports.ts"
import * as Breaker from "../../../runtime/upstream/breaker.ts"
import { concurrencyLimit } from "../../../runtime/upstream/concurrencyLimit.ts"
import {
  callBudget,
  type GetJson,
  getJson,
  type RequestPolicy,
  type Upstream,
} from "../../../runtime/upstream/upstream.ts"

/** Address of the league's statistics service, and our user agent. */
export interface Settings {
  readonly mlb: string
  readonly userAgent: string
}

/** Client of MLB's StatsAPI for single games, standings and pitchers: its terms allow no bulk use. */
export interface Api {
  readonly upstream: Upstream
  readonly get: GetJson
  /** The source of what is read now, by the public address of its request. */
  readonly cite: (source: string, path: string, query: Readonly<Record<string, string>>) => Effect.Effect<Sourced>
}

/** The service's name in a sentence. */
export const title = "MLB's statistics service"

/** The service's public address. */
export const publicUrl = "https://statsapi.mlb.com"

/** 4 requests at a time, at most 256 running or queued. */
const crowd = { atOnce: 4, atMost: 256 }

export const make = (client: HttpClient.HttpClient, { mlb, userAgent }: Settings, policy: RequestPolicy = {}): Api => {
  const upstream: Upstream = {
    ...Breaker.breakerNamed("mlb", title),
    baseUrl: mlb.replace(/\/+$/, ""),
    slot: concurrencyLimit("mlb", crowd, title),
    ...callBudget,
    ...policy,
    headers: { "user-agent": userAgent, ...policy.headers },
  }
  return {
    upstream,
    get: (schema, path, query) => getJson(client, upstream, schema, path, query),
    cite: (source, path, query) =>
      Effect.map(Clock.currentTimeMillis, (fetchedAt) => ({
        source: `MLB StatsAPI ${source}`,
        locator: `${publicUrl}${path}?${new URLSearchParams(query)}`,
        fetchedAt,
        stale: false,
      })),
  }
}
