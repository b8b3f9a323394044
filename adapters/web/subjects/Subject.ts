import type * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../../core/Failure.ts"
import type { Domain } from "../../../core/record/scoreboard/Settled.ts"
import type { Demo } from "../demo.ts"
import type { Picture } from "../pictures/pictures.tsx"

/** A call whose answer a page shows. */
export interface Shown {
  readonly endpoint: Endpoint.Any
  readonly params: Readonly<Record<string, unknown>>
  /** Whether this answer is not charged, whatever its endpoint's price. */
  readonly isFree?: boolean
}

/** All that a subject's page shows. */
export interface View {
  readonly title: string
  /** One sentence below the title. */
  readonly lead: string
  /** Undefined: there is too little to draw. */
  readonly pictures: ReadonlyArray<Picture | undefined>
  readonly facts: Readonly<Record<string, ComponentChildren>>
  /** How its contracts settle. */
  readonly note?: string
  /** The calls behind the page, the signal's first. */
  readonly calls: readonly [Shown, ...ReadonlyArray<Shown>]
  /** Whose settled markets say how good the model has been here. */
  readonly scored?: { readonly domain: Domain; readonly isOwn: (instrument: string) => boolean; readonly name: string }
}

/** A subject that has a page. */
export interface Item {
  readonly id: string
  readonly name: string
}

/** A kind of subjects, each of which has a page. */
export interface Subject {
  /** First part of the pages' addresses. */
  readonly kind: "weather" | "nfl" | "mlb" | "crypto" | "markets"
  readonly title: string
  /** Said where the list is empty. */
  readonly empty: string
  readonly list: (demo: Demo, now: number) => Effect.Effect<ReadonlyArray<Item>, Failure>
  /** Fails with `not_found` or `invalid_parameter` where there is no such subject. */
  readonly read: (demo: Demo, id: string, now: number) => Effect.Effect<View, Failure>
}

/** The address of a subject's page. */
export const addressOf = ({ kind }: Subject, id: string): string => `/${kind}/${encodeURIComponent(id)}`
