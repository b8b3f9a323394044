import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import { modules } from "../adapters/lanes/all.ts"
import * as Upstream from "../adapters/runtime/upstream/Definition.ts"
import { second } from "../core/time.ts"
import { laneModes, type Settings } from "./Config.ts"
import { anonymous, sourcesWithTerms } from "./config/lanes.ts"

/** A source of a lane that is not generated, at its configured address. */
export interface Probed {
  readonly lane: string
  readonly definition: Upstream.Definition
  readonly url: string
}

/** The sources to ask. A source that is off has no address. */
export const listProbed = (settings: Settings): ReadonlyArray<Probed> =>
  modules.flatMap(({ definition: { lane }, upstreams }) =>
    laneModes(settings)[lane.name] === "mock"
      ? []
      : Object.values<Upstream.Definition>(upstreams).flatMap((definition) => {
          const url = String(settings.upstreams[definition.name as never])
          return url === "" ? [] : [{ lane: lane.name, definition, url }]
        }),
  )

/** The sources whose terms restrict the use of their data, and whether they are read. */
export const restrictedSources = (settings: Settings) =>
  sourcesWithTerms(modules.filter(({ definition: { lane } }) => laneModes(settings)[lane.name] !== "mock")).flatMap(
    ({ name, title, terms }) => {
      const isAccepted = !settings.unaccepted.includes(name)
      const isOff = isAccepted && String(settings.upstreams[name as never]) === ""
      return isOff
        ? []
        : [
            {
              name,
              isAccepted,
              text: isAccepted
                ? `${title} is read, as you comply with its terms. ${terms}`
                : `${title} is not read until TERMS_ACCEPTED names ${name}. ${terms}`,
            },
          ]
    },
  )

const patienceMs = 15 * second

/** The last answer of a source, usable or not. */
export interface LastAnswer {
  readonly status: number
  readonly date: number
}

/** Asks the smallest real question and reads the answer. */
export const probe = ({ definition, url }: Probed, userAgent: string, see: (seen: LastAnswer) => void = () => {}) =>
  Effect.flatMap(HttpClient.HttpClient, (client) => {
    const watched = HttpClient.tap(client, ({ status, headers }) =>
      Effect.sync(() => see({ status, date: Date.parse(headers["date"] ?? "") })),
    )
    const policy = { timeoutMs: patienceMs, allMs: patienceMs, headers: { "user-agent": userAgent } }
    return definition.probe(Upstream.openAt(definition, watched, url, policy))
  }).pipe(Effect.provide(FetchHttpClient.layer))

/** The fault of a missing UPSTREAM_CONTACT; undefined where it is set, or weather is generated. */
export const findContactTrouble = (settings: Settings): string | undefined =>
  laneModes(settings)["weather"] !== "mock" && settings.upstreams.userAgent === anonymous
    ? "The weather service requires a contact in each request, and none is set."
    : undefined

/** At the start: logs the terms, asks each source, and logs refused answers, which readiness reports until one is accepted. */
export const probeAtStart = (settings: Settings): Effect.Effect<void> =>
  Effect.gen(function* () {
    const trouble = findContactTrouble(settings)
    if (trouble !== undefined) yield* Effect.logWarning(`UPSTREAM_CONTACT: ${trouble}`)
    for (const { isAccepted, text } of restrictedSources(settings))
      yield* isAccepted ? Effect.logInfo(text) : Effect.logWarning(text)
    yield* askAll(listProbed(settings), settings)
  })

const askAll = (all: ReadonlyArray<Probed>, settings: Settings): Effect.Effect<void> =>
  Effect.forEach(
    all,
    (source) =>
      Effect.catchAll(probe(source, settings.upstreams.userAgent), ({ message, path }) =>
        Effect.logWarning(`${source.definition.title} does not answer as it should: ${message}`).pipe(
          Effect.annotateLogs({ upstream: source.definition.name, path }),
        ),
      ),
    { concurrency: 4, discard: true },
  )
