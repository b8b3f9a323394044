import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { turns } from "../../../upstream/turns.ts"
import { getJson, type Manners, type Upstream, UpstreamError } from "../../../upstream/upstream.ts"

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
  /** The public address of a question, as citations name it wherever we ask. */
  readonly address: (path: string, query: Readonly<Record<string, string>>) => string
}

/** The service's own address. */
export const publicUrl = "https://statsapi.mlb.com"

/** So many requests at a time; the others wait, a crowd does not. */
const crowd = { atOnce: 4, atMost: 256 }

/** Fair odds take two questions, one after the other: both fit into the time of a call. */
const allMs = 9_000

export const make = (client: HttpClient.HttpClient, { mlb, userAgent }: Settings, manners: Manners = {}): Api => {
  const upstream: Upstream = {
    name: "mlb",
    baseUrl: mlb.replace(/\/+$/, ""),
    allMs,
    turn: turns("mlb", crowd),
    ...manners,
    headers: { "user-agent": userAgent, ...manners.headers },
  }
  return {
    upstream,
    get: (schema, path, query) => getJson(client, upstream, schema, path, query),
    address: (path, query) => `${publicUrl}${path}?${new URLSearchParams(query)}`,
  }
}

/** The answer is JSON of another shape than it was recorded to have. */
export const misshapen = ({ upstream }: Api, message: string): UpstreamError =>
  new UpstreamError({ upstream: upstream.name, reason: "shape", message })
