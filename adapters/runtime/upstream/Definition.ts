import * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { Judge } from "../../../core/sources/identity.ts"
import { type Breaker, breakerNamed, Sources } from "./breaker.ts"
import { concurrencyLimit, type RequestSlot } from "./concurrencyLimit.ts"
import { implausible, located } from "./UpstreamError.ts"
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

/** Reads the answer to a question. */
type Reads<Asked, Answer> = (
  client: HttpClient.HttpClient,
  upstream: Upstream,
  asked: Asked,
  path: string,
  query: Query | undefined,
) => Effect.Effect<Answer, UpstreamError>

/** JSON of a schema. */
export const json =
  <Answer, Wire>(schema: Schema.Schema<Answer, Wire>): Reads<unknown, Answer> =>
  (client, upstream, _, path, query) =>
    getJson(client, upstream, schema, path, query)

export const text: Reads<unknown, string> = (client, upstream, _, path, query) => getText(client, upstream, path, query)

/** A file, which is not sent again where it has the validators that are known. */
export const file =
  <Asked extends object, Answer>(
    read: (download: Download | undefined, asked: Asked) => Effect.Effect<Answer, UpstreamError>,
  ): Reads<Asked & Validators, Answer> =>
  (client, upstream, asked, path) =>
    Effect.flatMap(getFile(client, upstream, path, asked), (download) => read(download, asked))

/** A question to a source: how it is asked, how its answer is read, and what makes the answer the one to it. */
export interface Question<Asked, Wire, Answer = Wire> {
  readonly path: (asked: Asked) => string
  readonly query?: (asked: Asked) => Query
  /** Of this question alone. */
  readonly policy?: RequestPolicy
  readonly reads: Reads<Asked, Wire>
  /** What makes it the answer: `whole`, or `rows` that are each compared with what was asked for. */
  readonly identity: Judge<Asked, Wire, Answer>
  /** What an answer does not state, and what stands for it. */
  readonly unstated?: string
}

/** A question whose types follow from what it reads. */
export const question = <Asked, Wire, Answer>(
  reads: Reads<Asked, Wire>,
  given: Omit<Question<Asked, Wire, Answer>, "reads">,
): Question<Asked, Wire, Answer> => ({ ...given, reads })

/** A source as one value: its address, its limits, and what it is asked. */
export interface Definition<Name extends string = string> extends RequestPolicy {
  readonly name: Name
  /** Its name in a sentence. */
  readonly title: string
  /** Its public address; empty: it is off until an operator sets one. */
  readonly url: string
  /** What its terms restrict, in a sentence: it is off until the operator accepts them. */
  readonly terms?: string
  /** Requests at a time. Absent: one client asks, in turn. */
  readonly atOnce?: number
  /** Requests running or queued. Default: 32 times as many as at a time. */
  readonly atMost?: number
  /** Pause between two requests, ms. */
  readonly gapMs?: number
  /** The domain to whose hosts its redirects are followed, beside its own host. */
  readonly redirects: false | string
  readonly isOverload?: (error: UpstreamError) => boolean
  readonly questions: Readonly<Record<string, { readonly unstated?: string }>>
  /** The smallest real request, through the reader of its answer. */
  readonly probe: (source: Source) => Effect.Effect<unknown, UpstreamError>
}

/** The addresses of sources by their names, and our user agent: some refuse requests without one. */
export type Settings<Name extends string = never> = Readonly<Record<Name, string>> & { readonly userAgent: string }

/** A source that can be asked; all who ask it share its limits. */
export interface Source {
  readonly upstream: Upstream & { readonly breaker: Breaker }
  /** The public address of a path, for citations. */
  readonly address: (path: string) => string
  /** The answer to a question, which has shown that it is. */
  readonly ask: <Asked, Wire, Answer>(
    question: Question<Asked, Wire, Answer>,
    asked: Asked,
  ) => Effect.Effect<Answer, UpstreamError>
}

const spaced = (slot: RequestSlot, gapMs: number): RequestSlot => {
  let free = 0
  const wait = Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(Math.max(0, Math.min(gapMs, free - now))))
  const leave = Effect.map(Clock.currentTimeMillis, (now) => {
    free = now + gapMs
  })
  return (attempt) => slot(Effect.zipRight(wait, Effect.ensuring(attempt, leave)))
}

type Limits = Pick<Definition, "name" | "title" | "atOnce" | "atMost" | "gapMs">
const requestSlot = ({ name, title, atOnce = 0, atMost = 32 * atOnce, gapMs }: Limits): RequestSlot | undefined => {
  const slot = atOnce === 0 ? undefined : concurrencyLimit(name, { atOnce, atMost }, title)
  return slot === undefined || gapMs === undefined ? slot : spaced(slot, gapMs)
}

/** A definition whose name is a literal. */
export const define = <const Name extends string>(given: Definition<Name>): Definition<Name> => given

/** The reasons of errors where a response arrived that did not answer the question. */
const contents: ReadonlySet<UpstreamError["reason"]> = new Set(["not-json", "shape", "implausible"])

type Policy = RequestPolicy & Pick<Definition, "gapMs">

/** The source of a definition at an address. */
export const over = (
  { questions: _, probe: __, url, ...definition }: Definition,
  client: HttpClient.HttpClient,
  baseUrl: string,
  { headers, ...policy }: Policy = {},
): Source => {
  const slot = requestSlot({ ...definition, ...policy })
  const upstream = {
    ...definition,
    ...breakerNamed(definition.name, definition.title),
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
        Effect.mapError(located(pathOf(asked))),
        Effect.tapBoth({
          onSuccess: () => judge(true),
          onFailure: ({ reason }) => (contents.has(reason) ? judge(false) : Effect.void),
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
    over(definition, client, settings[definition.name], {
      ...policy,
      headers: { "user-agent": settings.userAgent, ...headers },
    }),
  )
