import * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Breaker from "../../../runtime/upstream/breaker.ts"
import { concurrencyLimit, type RequestSlot } from "../../../runtime/upstream/concurrencyLimit.ts"
import {
  type GetJson,
  getJson,
  getText,
  type RequestPolicy,
  type Upstream,
  type UpstreamError,
} from "../../../runtime/upstream/upstream.ts"

/** Address of the archive, and our user agent. */
export interface Settings {
  readonly iem: string
  readonly userAgent: string
}

/** The archive of the Iowa Environmental Mesonet. It blocks clients with many requests at a time. */
export interface Api {
  readonly upstream: Upstream
  readonly json: GetJson
  readonly text: (path: string) => Effect.Effect<string, UpstreamError>
}

/** The process-wide client of the archive: one request at a time. */
export class Iem extends Context.Tag("market-signals/adapters/lanes/weather/Iem")<Iem, Api>() {}

export interface IemRequestPolicy extends RequestPolicy {
  /** Pause between two requests, ms. */
  readonly gapMs?: number
}

/** The archive's name in a sentence. */
export const title = "The Iowa archive"

/** One attempt at a time; at most 64 requests running or queued. */
const crowd = { atOnce: 1, atMost: 64 }

const oneByOne = (name: string, gapMs: number): RequestSlot => {
  const turn = concurrencyLimit(name, crowd, title)
  let free = 0
  const wait = Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(Math.max(0, Math.min(gapMs, free - now))))
  const leave = Effect.map(Clock.currentTimeMillis, (now) => {
    free = now + gapMs
  })
  return (attempt) => turn(Effect.zipRight(wait, Effect.ensuring(attempt, leave)))
}

const make = (
  client: HttpClient.HttpClient,
  { iem, userAgent }: Settings,
  { gapMs = 250, ...policy }: IemRequestPolicy = {},
): Api => {
  const upstream: Upstream = {
    ...Breaker.breakerNamed("iem", title),
    baseUrl: iem,
    // An uncached year of a station takes the archive a few seconds.
    timeoutMs: 20_000,
    slot: oneByOne("iem", gapMs),
    patienceMs: Breaker.patienceMs,
    ...policy,
    headers: { "user-agent": userAgent, ...policy.headers },
  }
  const texts: Upstream = { ...upstream, maxBytes: 65_536, headers: { ...upstream.headers, accept: "text/plain" } }
  return {
    upstream,
    json: (schema, path, query) => getJson(client, upstream, schema, path, query),
    text: (path) => getText(client, texts, path),
  }
}

export const layer = (
  settings: Settings,
  policy: IemRequestPolicy = {},
): Layer.Layer<Iem, never, HttpClient.HttpClient> =>
  Layer.effect(
    Iem,
    Effect.map(HttpClient.HttpClient, (client) => make(client, settings, policy)),
  )
