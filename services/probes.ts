import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import { modules } from "../adapters/lanes/all.ts"
import * as Upstream from "../adapters/runtime/upstream/Definition.ts"
import { second } from "../core/time.ts"
import { modesOf, type Settings } from "./Config.ts"

/** A source of a lane that is not generated, at its configured address. */
export interface Probed {
  readonly lane: string
  readonly definition: Upstream.Definition
  readonly url: string
}

/** The sources that are asked: those that are off have no address. */
export const probed = (settings: Settings): ReadonlyArray<Probed> =>
  modules.flatMap(({ definition: { lane }, upstreams }) =>
    modesOf(settings)[lane.name] === "mock"
      ? []
      : Object.values<Upstream.Definition>(upstreams).flatMap((definition) => {
          const url = String(settings.upstreams[definition.name as never])
          return url === "" ? [] : [{ lane: lane.name, definition, url }]
        }),
  )

const patienceMs = 15 * second

/** The last answer of a source that came, whatever it was. */
export interface Seen {
  readonly status: number
  readonly date: number
}

/** Asks the smallest real question, through the reader of its answer. */
export const probe = ({ definition, url }: Probed, userAgent: string, see: (seen: Seen) => void = () => {}) =>
  Effect.flatMap(HttpClient.HttpClient, (client) => {
    const watched = HttpClient.tap(client, ({ status, headers }) =>
      Effect.sync(() => see({ status, date: Date.parse(headers["date"] ?? "") })),
    )
    const policy = { timeoutMs: patienceMs, allMs: patienceMs, headers: { "user-agent": userAgent } }
    return definition.probe(Upstream.over(definition, watched, url, policy))
  }).pipe(Effect.provide(FetchHttpClient.layer))

/** At the start: asks each source, and logs what is refused. Readiness tells of it until an answer is taken. */
export const atStart = (settings: Settings): Effect.Effect<void> =>
  Effect.forEach(
    probed(settings),
    (source) =>
      Effect.catchAll(probe(source, settings.upstreams.userAgent), ({ message, path }) =>
        Effect.logWarning(`${source.definition.title} does not answer as it should: ${message}`).pipe(
          Effect.annotateLogs({ upstream: source.definition.name, path }),
        ),
      ),
    { concurrency: 4, discard: true },
  )
