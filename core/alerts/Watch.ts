import type * as Endpoint from "../endpoint/Endpoint.ts"
import type { AlertKind } from "../events/Event.ts"
import type { Failure } from "../Failure.ts"

export type Kind = AlertKind

/** A row that may cross: a contract with its edge or its gain. */
export interface Row {
  readonly subject: string
  readonly measure: string
  readonly value: number
}

/** The part of an answer that an alert compares, by its kind; undefined: nothing in it can cross. */
interface Readings {
  /** A value with versions: a new one crosses. */
  readonly report: { readonly subject: string; readonly version: string } | undefined
  /** Rows, of which those of the threshold or more cross. */
  readonly edge: ReadonlyArray<Row>
  /** Levels of a subject, of which those cross that have moved by the threshold or more. */
  readonly move: { readonly subject: string; readonly levels: Readonly<Record<string, number>> } | undefined
}

type Params = Readonly<Record<string, unknown>>

/** A way to watch the answers of an endpoint. */
export interface Watch<E extends Endpoint.Any = Endpoint.Any, K extends Kind = Kind> {
  readonly endpoint: E
  readonly kind: K
  /** The unit of threshold and hysteresis; absent where nothing is compared with them. */
  readonly unit?: string
  /** @param params of the call that is watched */
  readonly read: (results: Endpoint.Results<E>, params: Params) => Readings[K]
  /** The parameter by which the call filters its rows, set from the threshold; its minimum and its unit. */
  readonly bar?: (params: Params) => { readonly param: string; readonly least: number; readonly unit: string }
}

// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type Any = { readonly [K in Kind]: Watch<any, K> }[Kind]

export const make = <E extends Endpoint.Any, K extends Kind>(
  endpoint: E,
  kind: K,
  watch: Omit<Watch<E, K>, "endpoint" | "kind">,
): Watch<E, K> => ({ ...watch, endpoint, kind })

/** The memory of an alert between two checks, JSON: the version, the subjects above its threshold, or the levels. */
export type Memory =
  | { readonly version: string | null }
  | { readonly above: ReadonlyArray<string> }
  | { readonly subject: string; readonly levels: Readonly<Record<string, number>> }

export interface Change {
  readonly subject: string
  /** `edge`, `expected_gain`, `report`, or the name of the level. */
  readonly measure: string
  readonly value: number | string
  /** The value from which it moved, or the version before. */
  readonly before?: number | string
}

/** The result of a check: the new memory, and a crossing unless `changes` is empty. */
export interface Look {
  readonly memory: Memory
  readonly changes: ReadonlyArray<Change>
}

export interface Bounds {
  /** 0 where nothing is compared. */
  readonly threshold: number
  /** A subject above the threshold stays there until it is below by more than this. */
  readonly hysteresis: number
}

const lookAtReport = (read: Readings["report"], before: Memory | undefined): Look | undefined => {
  if (read === undefined) return undefined
  const { subject, version } = read
  const previous = before !== undefined && "version" in before ? before : undefined
  if (previous?.version === version) return undefined
  const memory: Memory = { version }
  // The first check finds a report that was there before the alert.
  if (previous === undefined) return { memory, changes: [] }
  return {
    memory,
    changes: [
      {
        subject,
        measure: "report",
        value: version,
        ...(previous.version === null ? {} : { before: previous.version }),
      },
    ],
  }
}

const lookAtEdges = (
  rows: Readings["edge"],
  before: Memory | undefined,
  { threshold, hysteresis }: Bounds,
): Look | undefined => {
  const above = new Set(before !== undefined && "above" in before ? before.above : [])
  const crossed = rows.filter(({ subject, value }) => value >= threshold && !above.has(subject))
  const stay = rows.filter(({ subject, value }) => above.has(subject) && value >= threshold - hysteresis)
  if (crossed.length === 0 && stay.length === above.size && before !== undefined) return undefined
  return {
    memory: { above: [...stay, ...crossed].map(({ subject }) => subject).sort() },
    changes: crossed.map(({ subject, measure, value }) => ({ subject, measure, value })),
  }
}

/** A difference that equals the threshold in decimals may be smaller by this in binary. */
const rounding = 1e-9

const lookAtLevels = (read: Readings["move"], before: Memory | undefined, { threshold }: Bounds): Look | undefined => {
  if (read === undefined) return undefined
  const { subject, levels } = read
  const from = before !== undefined && "levels" in before && before.subject === subject ? before.levels : undefined
  if (from === undefined) return { memory: { subject, levels }, changes: [] }
  const moved = Object.entries(levels).filter(
    ([name, value]) => from[name] !== undefined && Math.abs(value - from[name]) >= threshold - rounding,
  )
  if (moved.length === 0) return undefined
  return {
    // The next move is counted from here.
    memory: { subject, levels: { ...levels, ...from, ...Object.fromEntries(moved) } },
    changes: moved.map(([measure, value]) => ({ subject, measure, value, before: from[measure]! })),
  }
}

const lookByKind: {
  readonly [K in Kind]: (read: Readings[K], before: Memory | undefined, bounds: Bounds) => Look | undefined
} = { report: lookAtReport, edge: lookAtEdges, move: lookAtLevels }

/**
 * The changes of an answer for an alert; undefined: none. The first look at a report or a level is where the next one is
 * counted from; an edge that is there at the first look is a crossing.
 *
 * @param before the memory after the last look; undefined at the first one
 */
export const look = (
  { kind, read }: Any,
  results: unknown,
  params: Params,
  before: Memory | undefined,
  bounds: Bounds,
): Look | undefined => lookByKind[kind](read(results, params) as never, before, bounds)

/** The same for a call that fails: a report that does not exist yet is waited for; other failures change nothing. */
export const lookAtFailure = ({ kind }: Any, { code }: Failure, before: Memory | undefined): Look | undefined =>
  kind === "report" && code === "not_found" && before === undefined
    ? { memory: { version: null }, changes: [] }
    : undefined
