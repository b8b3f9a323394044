import type * as Effect from "effect/Effect"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import type { Failure } from "../Failure.ts"
import type { Question } from "./question.ts"

/** What a question asks of a thing that it names. */
export interface Asked extends Pick<Question, "minutes" | "numbers" | "week"> {
  /** YYYY-MM-DD in the zone of the thing; undefined: no day is named. */
  readonly day: string | undefined
  /** The day there now. */
  readonly today: string
}

/** A call about a thing. */
export interface Ready {
  readonly endpoint: Endpoint.Any
  /** What people call its answer. */
  readonly words: string
  /** Undefined where the endpoint does not answer for the day. */
  readonly params: (asked: Asked) => Readonly<Record<string, unknown>> | undefined
}

export const ready = <E extends Endpoint.Any>(
  endpoint: E,
  words: string,
  params: (asked: Asked) => Endpoint.Input<E> | undefined,
): Ready => ({ endpoint, words, params: params as Ready["params"] })

export const kinds = ["station", "team", "game", "league", "asset", "contract", "endpoint", "guide"] as const

/** A thing that can be found by its names, with the calls about it. */
export interface Findable {
  readonly kind: (typeof kinds)[number]
  readonly name: string
  /** Other names. */
  readonly words: string
  /** Its ids, as parameters have them. */
  readonly ids: Readonly<Record<string, string | number>>
  /** The IANA zone in which days are meant; absent: UTC. */
  readonly zone?: string
  /** The only day that it is of. */
  readonly day?: string
  /** Of many things that differ in little, such as an event's contracts: few of them are shown. */
  readonly group?: string
  /** The one that a name alone means first. */
  readonly calls: ReadonlyArray<Ready>
}

/** Things that can be found, read together. */
export interface Source {
  /** In words, for the answer that has to do without. */
  readonly what: string
  readonly read: Effect.Effect<ReadonlyArray<Findable>, Failure>
}

/** Asks an endpoint, uncharged, for what its answer names. */
export type Ask = <E extends Endpoint.Any>(
  endpoint: E,
  params: Endpoint.Params<E>,
) => Effect.Effect<Endpoint.Results<E>, Failure>

/** What can be found in a lane now, in the order in which equals are shown. @param now epoch milliseconds */
export type Finds = (ask: Ask, now: number) => ReadonlyArray<Source>
