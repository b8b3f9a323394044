import * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { Judge } from "../../../core/sources/identity.ts"
import { type Breaker, makeBreaker, Sources } from "./breaker.ts"
import { concurrencyLimit, type RequestSlot } from "./concurrencyLimit.ts"
import { implausible, withPath } from "./UpstreamError.ts"
import {
  type Download,
  getFile,
  getJson,
  getText,
  type Query,
  type RequestPolicy,
  type Upstream,
  type UpstreamError,
  type Validators,
} from "./upstream.ts"

/** Requests and reads the answer to a question. */
type Reads<Asked, Answer> = (
  client: HttpClient.HttpClient,
  upstream: Upstream,
  asked: Asked,
  path: string,
  query: Query | undefined,
) => Effect.Effect<Answer, UpstreamError>

/** Reads JSON by a schema. */
export const readJson =
  <Answer, Wire>(schema: Schema.Schema<Answer, Wire>): Reads<unknown, Answer> =>
  (client, upstream, _, path, query) =>
    getJson(client, upstream, schema, path, query)

export const readText: Reads<unknown, string> = (client, upstream, _, path, query) =>
  getText(client, upstream, path, query)

/** Reads a file, which the source does not send again if its validators are those already known. */
export const readFile =
  <Asked extends object, Answer>(
    read: (download: Download | undefined, asked: Asked) => Effect.Effect<Answer, UpstreamError>,
  ): Reads<Asked & Validators, Answer> =>
  (client, upstream, asked, path) =>
    Effect.flatMap(getFile(client, upstream, path, asked), (download) => read(download, asked))

/** A question to a source: how it is asked, how its answer is read, and how the answer is held against the question. */
export interface Question<Asked, Wire, Answer = Wire> {
  readonly path: (asked: Asked) => string
  readonly query?: (asked: Asked) => Query
  /** Replaces the source's limits for this question. */
  readonly policy?: RequestPolicy
  readonly reads: Reads<Asked, Wire>
  /** Checks that the answer is to this question: as a `whole`, or by `rows` that are each compared with what was asked for. */
  readonly identity: Judge<Asked, Wire, Answer>
  /** What an answer does not state, and what vouches for it instead. */
  readonly unstated?: string
}

/** A question with inferred types. */
export const question = <Asked, Wire, Answer>(
  reads: Reads<Asked, Wire>,
  given: Omit<Question<Asked, Wire, Answer>, "reads">,
): Question<Asked, Wire, Answer> => ({ ...given, reads })

/** A source as one value: its address, limits and questions. */
export interface Definition<Name extends string = string> extends RequestPolicy {
  readonly name: Name
  /** Its name in a sentence. */
  readonly title: string
  /** Its public address; empty: it is off until an operator sets one. */
  readonly url: string
  /** What its terms restrict, in a sentence. The source is off until the operator accepts them. */
  readonly terms?: string
  /** Maximum running requests. Absent: no limit, for a source that one client asks in turn. */
  readonly atOnce?: number
  /** Maximum running or queued requests. Default: 32 · `atOnce`. */
  readonly atMost?: number
  /** Pause between two requests, ms. */
  readonly gapMs?: number
  /** The domain to whose hosts redirects are followed, besides its own host. */
  readonly redirects: false | string
  readonly isOverload?: (error: UpstreamError) => boolean
  readonly questions: Readonly<Record<string, { readonly unstated?: string }>>
  /** Makes the smallest real request, and reads its answer. */
  readonly probe: (source: Source) => Effect.Effect<unknown, UpstreamError>
}

/** The addresses of sources by name, and our user agent, without which some refuse requests. */
export type Settings<Name extends string = never> = Readonly<Record<Name, string>> & { readonly userAgent: string }

/** A source that can be asked. All callers share its limits. */
export interface Source {
  readonly upstream: Upstream & { readonly breaker: Breaker }
  /** The public address of a path, for citations. */
  readonly address: (path: string) => string
  /** Asks a question, and checks that the answer is to it. */
  readonly ask: <Asked, Wire, Answer>(
    question: Question<Asked, Wire, Answer>,
    asked: Asked,
  ) => Effect.Effect<Answer, UpstreamError>
}

const spaceOut = (slot: RequestSlot, gapMs: number): RequestSlot => {
  let free = 0
  const wait = Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(Math.max(0, Math.min(gapMs, free - now))))
  const leave = Effect.map(Clock.currentTimeMillis, (now) => {
    free = now + gapMs
  })
  return (attempt) => slot(Effect.zipRight(wait, Effect.ensuring(attempt, leave)))
}

type Limits = Pick<Definition, "name" | "title" | "atOnce" | "atMost" | "gapMs">
const makeSlot = ({ name, title, atOnce = 0, atMost = 32 * atOnce, gapMs }: Limits): RequestSlot | undefined => {
  const slot = atOnce === 0 ? undefined : concurrencyLimit(name, { atOnce, atMost }, title)
  return slot === undefined || gapMs === undefined ? slot : spaceOut(slot, gapMs)
}

/** A definition, with its name as a literal type. */
export const define = <const Name extends string>(given: Definition<Name>): Definition<Name> => given

/** The reasons of errors for responses that did not answer the question. */
const contentReasons: ReadonlySet<UpstreamError["reason"]> = new Set(["not-json", "shape", "implausible"])

type Policy = RequestPolicy & Pick<Definition, "gapMs">

/** The source of a definition at an address. */
export const openAt = (
  { questions: _, probe: __, url, ...definition }: Definition,
  client: HttpClient.HttpClient,
  baseUrl: string,
  { headers, ...policy }: Policy = {},
): Source => {
  const slot = makeSlot({ ...definition, ...policy })
  const upstream = {
    ...definition,
    ...makeBreaker(definition.name, definition.title),
    baseUrl,
    ...(slot && { slot }),
    ...policy,
    headers: { ...definition.headers, ...headers },
  }
  const judge = (isAnswer: boolean) =>
    Effect.map(Effect.all([Sources, Clock.currentTimeMillis]), ([{ share }, now]) =>
      share(upstream.breaker).judge(isAnswer, now),
    )
  return {
    upstream,
    address: (path) => url + path,
    ask: ({ path: pathOf, query, policy, reads, identity }, asked) =>
      Effect.gen(function* () {
        const headers = { ...upstream.headers, ...policy?.headers }
        const wire = yield* reads(client, { ...upstream, ...policy, headers }, asked, pathOf(asked), query?.(asked))
        const answer = identity(wire, asked, yield* Clock.currentTimeMillis)
        return yield* Either.mapLeft(answer, (reason) => implausible(upstream, reason))
      }).pipe(
        Effect.mapError(withPath(pathOf(asked))),
        Effect.tapBoth({
          onSuccess: () => judge(true),
          onFailure: ({ reason }) => (contentReasons.has(reason) ? judge(false) : Effect.void),
        }),
      ),
  }
}

/** The source of a definition at its configured address. */
export const open = <Name extends string>(
  definition: Definition<Name>,
  settings: Settings<NoInfer<Name>>,
  { headers, ...policy }: Policy = {},
): Effect.Effect<Source, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (client) =>
    openAt(definition, client, settings[definition.name], {
      ...policy,
      headers: { "user-agent": settings.userAgent, ...headers },
    }),
  )
