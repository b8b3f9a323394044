import type * as Effect from "effect/Effect"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import type { Failure } from "../Failure.ts"
import type { Question } from "./question.ts"

/** The details of a question about a thing that it names. */
export interface FindQuery extends Pick<Question, "minutes" | "numbers" | "week"> {
  /** YYYY-MM-DD in the zone of the thing; undefined if the question names no day. */
  readonly day: string | undefined
  /** The current day in that zone. */
  readonly today: string
}

/** A call about a thing. */
export interface ReadyCall {
  readonly endpoint: Endpoint.Any
  /** Words by which people ask for its answer. */
  readonly words: string
  /** The parameters for a question; undefined if the endpoint does not answer for the day. */
  readonly params: (query: FindQuery) => Readonly<Record<string, unknown>> | undefined
}

export const makeReadyCall = <E extends Endpoint.Any>(
  endpoint: E,
  words: string,
  params: (query: FindQuery) => Endpoint.Input<E> | undefined,
): ReadyCall => ({ endpoint, words, params: params as ReadyCall["params"] })

export const findableKinds = ["station", "team", "game", "league", "asset", "contract", "endpoint", "guide"] as const

/** A thing that can be found by its names, with the calls about it. */
export interface Findable {
  readonly kind: (typeof findableKinds)[number]
  readonly name: string
  /** Other names, separated by spaces. */
  readonly words: string
  /** Its ids, as parameters have them. */
  readonly ids: Readonly<Record<string, string | number>>
  /** The IANA zone in which days are meant; default UTC. */
  readonly zone?: string
  /** The only day that it belongs to, such as a game's. */
  readonly day?: string
  /** A name that many similar things share, such as an event's contracts; only a few of a group are shown. */
  readonly group?: string
  /** The first one is for questions with the name alone. */
  readonly calls: ReadonlyArray<ReadyCall>
}

/** Things that can be found, read together. */
export interface Source {
  /** What they are, in words, for an answer that could not read them. */
  readonly what: string
  readonly read: Effect.Effect<ReadonlyArray<Findable>, Failure>
}

/** Calls an endpoint, uncharged. */
export type Ask = <E extends Endpoint.Any>(
  endpoint: E,
  params: Endpoint.Params<E>,
) => Effect.Effect<Endpoint.Results<E>, Failure>

/**
 * What can be found in a lane now; equally good hits are shown in this order.
 *
 * @param now epoch milliseconds
 */
export type Finds = (ask: Ask, now: number) => ReadonlyArray<Source>
