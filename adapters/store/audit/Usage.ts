import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MicroUsd } from "../../../core/account/Money.ts"
import {
  type GroupPage,
  maxSpans,
  nextSpanStart,
  type Span,
  spanStart,
  spans,
  Usage,
  type UsageGroup,
  type UsageQuery,
  type UsageSum,
} from "../../../core/account/Usage.ts"
import { type Failure, invalid } from "../../../core/Failure.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import * as Step from "../../../core/Step.ts"
import { day, iso } from "../../../core/time.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { dialects } from "../engine/Dialect.ts"
import { type Queries, Transactions, type Value } from "../engine/Transactions.ts"
import { type Folds, folds } from "../money/folds.ts"
import * as Moves from "../trail/usageMoves.ts"

/** Sums that are read in one turn of the event loop, in about two milliseconds. */
const sumsPerTurn = 2_000

interface Range {
  /** Starts where a span starts, and ends where one ends. */
  readonly from: number
  readonly to: number
  readonly livemode: boolean | undefined
}

/** Which sums are asked for. */
interface Part {
  readonly kind: UsageGroup
  readonly span: Span
  /** One sum for the whole range instead of one for each span. */
  readonly isWhole?: boolean
  /** Chooses the groups to read by the sums of the earlier parts; absent: all. */
  readonly names?: (before: ReadonlyArray<ReadonlyArray<UsageSum>>) => ReadonlyArray<string>
}

/** Stored sums that start in a range. */
interface Stored {
  readonly kind: UsageGroup
  readonly span: Span
  readonly from: number
  readonly to: number
}

const allSpans = Object.keys(spans) as ReadonlyArray<Span>

/** A span and all shorter ones: each call is in a sum of one of them. */
const listStoredSpans = (span: Span): ReadonlyArray<Span> => allSpans.slice(0, allSpans.indexOf(span) + 1)

interface Row {
  readonly at: number
  readonly name: string
  readonly livemode: number
  readonly calls: number
  readonly charged: number
}

/** Sums that grow while they are read. */
interface Count {
  calls: number
  charged: number
}

/** Sums in the order of span and group. */
const toSorted = (found: ReadonlyMap<number, ReadonlyMap<string, Count>>): ReadonlyArray<UsageSum> =>
  [...found.keys()]
    .sort((one, other) => one - other)
    .flatMap((at) =>
      [...found.get(at)!]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([group, { calls, charged }]) => ({ at, group, calls, charged: MicroUsd(charged) })),
    )

const modeValue = ({ livemode }: Range): Value => (livemode === undefined ? null : Number(livemode))

type Place = Pick<Row, "at" | "name" | "livemode">

const firstPlace = (from: number): Place => ({ at: from, name: "", livemode: -1 })

/** Sums of a part that grow while they are read. */
const makeSums = (part: Part, range: Range, names?: ReadonlyArray<string>) => {
  const sums = new Map<number, Map<string, Count>>()
  const add = (time: number, group: string, calls: number, charged: number): void => {
    if (names?.includes(group) === false) return
    const at = part.isWhole === true ? range.from : spanStart(part.span, time)
    const ofSpan = getOrMake(sums, at, () => new Map<string, Count>())
    const count = ofSpan.get(group)
    if (count === undefined) ofSpan.set(group, { calls, charged })
    else {
      count.calls += calls
      count.charged += charged
    }
  }
  return { sums, add }
}

const prepareAll = ({ dialect, prepare }: Queries) => {
  const { jsonList } = dialects[dialect]
  const columns = `
    SELECT start AS at, name, livemode, calls, charged_micros AS charged FROM usage_sums
    WHERE account_id = ? AND span = ? AND kind = ? AND livemode = coalesce(CAST(? AS INTEGER), livemode)`
  // Two statements, since SQLite does not seek by a pair of columns.
  const ofStart = prepare<Row>(`
    ${columns} AND start = ? AND name >= ? AND (name, livemode) > (?, ?) ORDER BY name, livemode LIMIT ?`)
  const later = prepare<Row>(`${columns} AND start > ? AND start < ? ORDER BY start, name, livemode LIMIT ?`)

  return {
    ofStart,
    later,
    /** The sums of some names in some spans: one search of the primary key for each. */
    named: prepare<Row>(`
      SELECT u.start AS at, u.name, u.livemode, u.calls, u.charged_micros AS charged
      FROM ${jsonList("starts")} CROSS JOIN ${jsonList("names")} CROSS JOIN usage_sums u
      WHERE u.account_id = ? AND u.span = ? AND u.kind = ? AND u.start = CAST(starts.value AS BIGINT)
        AND u.name = names.value AND u.livemode = coalesce(CAST(? AS INTEGER), u.livemode)`),
  }
}

/** Reads of an account's sums. */
const makeReads = (store: Queries, moves: ReturnType<typeof Moves.make>) => {
  const sql = prepareAll(store)
  // On PostgreSQL all reads are in one snapshot.
  const position =
    store.dialect === "sqlite"
      ? store.prepare<{ folded: number }>("SELECT folded FROM wallets WHERE account_id = ?")
      : undefined
  /** The state of an account's sums. Its version changes with every fold and with each move. */
  const state = Step.fn(function* (accountId: string) {
    const folded = position === undefined ? 0 : (yield* position.get(accountId))?.folded
    const { version, ...moved } = yield* moves.state(accountId)
    return { ...moved, version: `${folded}; ${version}` }
  })

  /** The sums after a place, or those of some names, and the version after they were read. */
  const rows = Step.fn(function* (
    accountId: string,
    range: Range,
    { kind, span, from, to }: Stored,
    of: Place | ReadonlyArray<string>,
  ) {
    const whose = [accountId, spans[span], kind, modeValue(range)]
    const rows: Array<Row> = []
    if ("livemode" in of) {
      const { at, name, livemode } = of
      rows.push(...(yield* sql.ofStart.all(...whose, at, name, name, livemode, sumsPerTurn)))
      if (rows.length < sumsPerTurn) rows.push(...(yield* sql.later.all(...whose, at, to, sumsPerTurn - rows.length)))
    } else {
      const starts: Array<number> = []
      for (let at = nextSpanStart(span, from); at < to; at = nextSpanStart(span, at + 1)) starts.push(at)
      rows.push(...(yield* sql.named.all(JSON.stringify(starts), JSON.stringify(of), ...whose)))
    }
    return { rows, version: (yield* state(accountId)).version }
  })
  return { state, rows }
}

/** Reads the sums of all parts from one state of the store: a long read restarts if a fold happens in between. */
const makeCollect = (transactions: Transactions["Type"], moves: ReturnType<typeof Moves.make>) => {
  const { read } = transactions
  const sums = makeReads(transactions, moves)
  const collect = (
    accountId: string,
    range: Range,
    parts: ReadonlyArray<Part>,
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<UsageSum>>, Failure> =>
    Effect.gen(function* () {
      const state = yield* read(() => sums.state(accountId))
      const early = parts.find(({ span }) => range.from < state.goal(span))?.span
      if (early !== undefined) {
        const since = iso(state.goal(early))
        return yield* invalid("from", `Usage by the ${early} is kept from ${since}; ask for longer spans.`)
      }
      const all: Array<ReadonlyArray<UsageSum>> = []
      for (const part of parts) {
        const names = part.names?.(all)
        const { sums: found, add } = makeSums(part, range, names)
        for (const span of listStoredSpans(part.span)) {
          const stored = { kind: part.kind, span, from: Math.max(range.from, state.done(span)), to: range.to }
          let place = stored.from < range.to ? firstPlace(stored.from) : undefined
          while (place !== undefined) {
            const of = names ?? place
            const { rows, version } = yield* read(() => sums.rows(accountId, range, stored, of))
            if (version !== state.version)
              return yield* Effect.zipRight(yieldToEventLoop, collect(accountId, range, parts))
            for (const { at, name, calls, charged } of rows) add(at, name, calls, charged)
            place = names !== undefined || rows.length < sumsPerTurn ? undefined : rows.at(-1)
            if (place !== undefined) yield* yieldToEventLoop
          }
        }
        all.push(toSorted(found))
      }
      return all
    })
  return collect
}

/** Highest charge first, then most calls, then name. */
const inOrder = (one: UsageSum, other: UsageSum): number => other.charged - one.charged || other.calls - one.calls

const make = (transactions: Transactions["Type"], { flush }: Folds, size?: Moves.Size) => {
  const { write, snapshot } = transactions
  const moves = Moves.make(transactions, size)
  const collect = makeCollect(transactions, moves)

  /** Sums of whole spans up to the last call. */
  const readSums = (accountId: string, { from, to, span, livemode }: UsageQuery, parts: ReadonlyArray<Part>) => {
    const limit = maxSpans[span]
    if (!(from >= 0 && to >= from && to - from <= limit * spans[span])) {
      return invalid("to", `to must not be before from, nor more than ${limit} ${span}s after it.`)
    }
    const range = { from: spanStart(span, from), to: nextSpanStart(span, to), livemode }
    return Effect.zipRight(flush(accountId), snapshot(collect(accountId, range, parts)))
  }

  return {
    move: Effect.flatMap(Clock.currentTimeMillis, (now) => write(() => moves.slice(now))),
    sums: (accountId: string, query: UsageQuery) =>
      Effect.map(readSums(accountId, query, [{ kind: query.group, span: query.span }]), ([sums]) => sums!),
    totals: (accountId: string, query: UsageQuery, { skip, limit, inSpans = 0 }: GroupPage) => {
      const { from, to, group } = query
      const span: Span = query.span === "hour" && from % day === 0 && to % day === 0 ? "day" : query.span
      const names = ([, groups]: ReadonlyArray<ReadonlyArray<UsageSum>>) =>
        groups!
          .toSorted(inOrder)
          .slice(0, inSpans)
          .map(({ group }) => group)
      return Effect.map(
        readSums(accountId, query, [
          { kind: "status", span: query.span },
          { kind: group, span, isWhole: true },
          ...(inSpans > 0 ? [{ kind: group, span: query.span, names }] : []),
        ]),
        ([spans, groups, first = []]) => ({
          spans: spans!,
          groups: groups!
            .toSorted(inOrder)
            .slice(skip, skip + limit)
            .map(({ at: _, ...total }) => total),
          inSpans: first,
          groupCount: groups!.length,
        }),
      )
    },
  }
}

/** @param size of the slices in which sums become those of longer spans; absent: the store's */
export const layerWith = (size?: Moves.Size): Layer.Layer<Usage, never, Transactions> =>
  Layer.effect(
    Usage,
    Effect.zipWith(Transactions, folds, (transactions, tables) => make(transactions, tables, size)),
  )

export const layer: Layer.Layer<Usage, never, Transactions> = layerWith()
