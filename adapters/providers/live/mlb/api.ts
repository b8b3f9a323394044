import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { getJson, type Manners, type Upstream, UpstreamError } from "../upstream.ts"

/** Where the league's statistics service is asked, and as whom. */
export interface Settings {
  readonly mlb: string
  readonly userAgent: string
}

/** MLB's StatsAPI, asked for single games, standings and pitchers: its terms allow no bulk use. */
export interface Api {
  readonly upstream: Upstream
  readonly get: <A, I>(
    schema: Schema.Schema<A, I>,
    path: string,
    query: Readonly<Record<string, string>>,
  ) => Effect.Effect<A, UpstreamError>
  /** The address of a question, as citations name it. */
  readonly address: (path: string, query: Readonly<Record<string, string>>) => string
}

/** So many requests at a time; the others wait. */
const atOnce = 4

export const make = (client: HttpClient.HttpClient, { mlb, userAgent }: Settings, manners: Manners = {}): Api => {
  const upstream: Upstream = {
    name: "mlb",
    baseUrl: mlb.replace(/\/+$/, ""),
    ...manners,
    headers: { "user-agent": userAgent, ...manners.headers },
  }
  const turns = Effect.unsafeMakeSemaphore(atOnce)
  return {
    upstream,
    get: (schema, path, query) => turns.withPermits(1)(getJson(client, upstream, schema, path, query)),
    address: (path, query) => `${upstream.baseUrl}${path}?${new URLSearchParams(query)}`,
  }
}

/** The answer is JSON of another shape than it was recorded to have. */
export const misshapen = ({ upstream }: Api, message: string): UpstreamError =>
  new UpstreamError({ upstream: upstream.name, reason: "shape", message })
