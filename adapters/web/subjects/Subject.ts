import type * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import type { Priced } from "../../../core/contracts/Contract.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../../core/Failure.ts"
import type { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import type { HistoryScope } from "../../../core/lanes/markets/ports.ts"
import type { Running } from "../../../core/lanes/weather/signal/sameDay.ts"
import type { Station } from "../../../core/lanes/weather/stations.ts"
import type { Leaf } from "../../../core/record/log/leaf.ts"
import type { Domain } from "../../../core/record/scoreboard/Settled.ts"
import type { Demo } from "../demo.ts"
import type { Picture } from "../view/plot.tsx"

/** An entry of the record. */
export interface Noted {
  /** Epoch milliseconds. */
  readonly at: number
  readonly id: string
  readonly name: string
}

/** How the forecasts of a variable did as they were recorded. */
export interface Scores {
  readonly n: number
  readonly crps: number
  readonly [part: string]: unknown
}

export type SettledRow = Endpoint.Results<typeof markets.settled>["rows"][number]

/** What everybody may see of real subjects: what has settled, and of what is open all but the numbers that are sold. */
export interface Public {
  readonly settled: (domain: Domain) => Effect.Effect<{ readonly rows: ReadonlyArray<SettledRow> }, Failure>
  readonly settledOf: (ticker: string, now: number) => Effect.Effect<ReadonlyArray<SettledRow>, Failure>
  /** The record's entries on a contract or an event: its results, then its forecasts, newest first. */
  readonly entries: (of: HistoryScope, now: number) => Effect.Effect<ReadonlyArray<Noted>, Failure>
  /** A row of a lane's track record; undefined: none yet, or it is generated. */
  readonly performance: (
    lane: "weather" | "crypto",
    isOwn: (row: Scores) => boolean,
  ) => Effect.Effect<Scores | undefined>
  /** Open contracts with a quote that is not old. */
  readonly open: (now: number) => Effect.Effect<ReadonlyArray<Priced>, Failure>
  /** The official extremes of a station's day as they stand; undefined: nothing real is observed yet. */
  readonly soFar: (station: Station, now: number) => Effect.Effect<Pick<Running, "high" | "low"> | undefined>
  /** The body of a leaf that is not sealed any more. */
  readonly body: (id: string, now: number) => Effect.Effect<Leaf["body"] | undefined, Failure>
}

/** A call whose answer a page shows. */
export interface Shown {
  readonly endpoint: Endpoint.Any
  readonly params: Readonly<Record<string, unknown>>
  /** Whether this answer is not charged, whatever its endpoint's price. */
  readonly isFree?: boolean
}

/** A contract of a subject, as a line. Probabilities of yes; the model's and the pool's are absent while sealed. */
export interface Line {
  readonly name: string
  readonly ticker: string
  readonly model?: number
  readonly market?: number | undefined
  readonly pool?: number | undefined
  /** The side that the model prefers, and its price, such as `44 ¢`. */
  readonly ask?: { readonly side: "yes" | "no"; readonly price: string }
  readonly gain?: number | undefined
  readonly result?: string | undefined
}

/** What we and the market say of one thing, in large figures. */
export interface Says {
  /** Of two or more: its subject, such as a team. */
  readonly of?: string
  /** The page of that. */
  readonly href?: string
  /** Absent: sealed. */
  readonly we?: string
  readonly range?: string
  readonly market?: string
  /** Label of the market's figure where that is not a current price: `Last price`. */
  readonly marketName?: string
  /** Our figure less the market's, as both are rounded. */
  readonly difference?: string
  /** Probabilities behind both, where they are. */
  readonly chances?: readonly [model: number, market: number]
  /** Of a value: where both are on a line from 0 to 1, and our range. */
  readonly track?: Track
}

/** Places on a line, as shares of its length. */
export interface Track {
  readonly model: number
  readonly market?: number | undefined
  readonly range?: readonly [low: number, high: number]
  /** The values at its ends. */
  readonly ends?: readonly [low: string, high: string] | undefined
}

/** A subject as all pages show it. */
export interface Card {
  readonly title: string
  readonly path: string
  readonly says: ReadonlyArray<Says>
  /** Epoch milliseconds. */
  readonly closesAt?: number | undefined
  /** The state after the start, such as `final`; absent: it follows from the close and the outcome. */
  readonly state?: string | undefined
  /** What happened; absent while it is open. */
  readonly happened?: string | undefined
  /** Our line and the posted one, of a game without a price. */
  readonly line?: Says | undefined
  readonly lines: ReadonlyArray<Line>
  /** Undefined: there is too little to draw. */
  readonly picture?: Picture | undefined
  /** The source that decides. */
  readonly settles?: string | undefined
  /** The venue's page, with its rules. */
  readonly venue?: { readonly name: string; readonly href: string } | undefined
  /** What an alert watches, and from which change on it fires. */
  readonly alert?: { readonly call: string; readonly threshold: number }
  /** The call that sells its number. */
  readonly call: Shown
  readonly isSample: boolean
  /** When the forecast of a finished event was written, epoch milliseconds. */
  readonly writtenAt?: number | undefined
  /** The leaf of the record that has it. */
  readonly leaf?: string | undefined
}

/** All that a subject's page shows. */
export interface View {
  readonly card: Card
  /** The last one that is settled, where the open one is sealed. */
  readonly last?: Card | undefined
  /** One sentence for search engines. */
  readonly lead: string
  /** In addition to the card's. */
  readonly picture?: Picture | undefined
  readonly facts: Readonly<Record<string, ComponentChildren>>
  readonly entries?: ReadonlyArray<Noted>
  /** How its contracts settle. */
  readonly note?: string
  /** The calls behind the page, the signal's first. */
  readonly calls: readonly [Shown, ...ReadonlyArray<Shown>]
  /** Whose settled markets say how good the model has been here. */
  readonly scored?: { readonly domain: Domain; readonly isOwn: (instrument: string) => boolean; readonly name: string }
}

/** A subject in the list. */
export type Item = Pick<Card, "title" | "path" | "says" | "closesAt" | "state" | "happened" | "line" | "lines">

/** A kind of subjects, each of which has a page. */
export interface Subject {
  /** First part of the pages' addresses. */
  readonly kind: "weather" | "nfl" | "mlb" | "crypto" | "markets"
  readonly title: string
  /** Said where the list is empty. */
  readonly empty: string
  /** Those that are there even without an open contract. */
  readonly ids?: (demo: Demo) => Effect.Effect<ReadonlyArray<string>, Failure>
  readonly list: (demo: Demo, now: number) => Effect.Effect<ReadonlyArray<Item>, Failure>
  /** Fails with `not_found` or `invalid_parameter` where there is no such subject. */
  readonly read: (demo: Demo, id: string, now: number) => Effect.Effect<View, Failure>
  /** The same with real data, reduced to its public part. */
  readonly live: (reading: Public, demo: Demo, id: string, now: number) => Effect.Effect<View, Failure>
}

/** The address of a subject's page. */
export const addressOf = (kind: Subject["kind"], id: string): string => `/${kind}/${encodeURIComponent(id)}`
