import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type GroupPage,
  mostSpans,
  nextSpanStart,
  type Span,
  spanStart,
  spans,
  Usage,
  type UsageQuery,
  type UsageSum,
} from "../../../core/account/Usage.ts"
import { type Failure, invalid } from "../../../core/Failure.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import * as Step from "../../../core/Step.ts"
import { day, hour } from "../../../core/time.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { type Queries, Transactions } from "../engine/Transactions.ts"
import { type Folded, folded as ledgerTail } from "../money/sqlite/folded.ts"
import { tableOf } from "../trail/months.ts"
import * as Steps from "../trail/usageSteps.ts"
import {
  eachKind,
  eachSpan,
  foldedMonths,
  groupColumns,
  isAfter,
  isUpTo,
  type Place,
  rowsSql,
} from "../trail/usageSteps.ts"
import type { Month } from "./usageSums.ts"
import * as Sums from "./usageSums.ts"

/** Most rows that a read adds by itself. */
const slice = 1_000

/** Most rows of one fold on PostgreSQL, and the time that it should take. */
const longSlice = { rows: 10_000, ms: 200 }

interface Bound {
  readonly rows: number
  readonly place: Place
  /** One of the rows takes back a charge. */
  readonly takesBack: boolean
}

/** Folds and steps of all nodes follow each other. */
const lock = "SELECT pg_advisory_xact_lock(hashtextextended('usage', 0))"

const nameOfKind = Object.entries(groupColumns)
  .map(([kind, column]) => `WHEN '${kind}' THEN ${column}`)
  .join(" ")

/** The dearest first, then those with most calls. What is alike is in the order of the names, as it came. */
const inOrder = (one: UsageSum, other: UsageSum): number => other.charged - one.charged || other.calls - one.calls

/** The statements of the fold. Those of a month are prepared when it is first folded. */
const statements = ({ dialect, prepare }: Queries, isAlone: boolean) => {
  const sql = {
    months: prepare<Month>(foldedMonths),
    folded: prepare(`
      INSERT INTO usage_months (month, folded) VALUES (?, ?)
      ON CONFLICT (month) DO UPDATE SET folded = excluded.folded`),
  }
  /** Rows of PostgreSQL are in the order of commits, and its nodes fold them in turn. */
  const own =
    dialect === "sqlite"
      ? undefined
      : {
          lock: prepare(lock),
          place: prepare<{ tx: string; seq: number }>(
            "SELECT CAST(tx AS TEXT) AS tx, seq FROM usage_places WHERE month = ?",
          ),
          numbered: prepare<{ tx: string; seq: number }>(
            "SELECT CAST(tx AS TEXT) AS tx, seq FROM audit WHERE month = ? ORDER BY audit.tx, seq LIMIT 1 OFFSET ?",
          ),
          placed: prepare(`
            INSERT INTO usage_places (month, tx, seq) VALUES (?, CAST(CAST(? AS TEXT) AS XID8), ?)
            ON CONFLICT (month) DO UPDATE SET tx = excluded.tx, seq = excluded.seq`),
        }

  const alikeSql = (month: string, which: string): string => `
    WITH alike AS MATERIALIZED (
      SELECT account_id, at - at % ${hour} AS hour, ${Object.values(groupColumns).join(", ")}, livemode, sum(calls) AS calls,
        sum(charged_micros) AS charged_micros
      FROM (${rowsSql(dialect, month)} WHERE ${isAfter[dialect](month)} AND ${isUpTo[dialect]}) new WHERE ${which}
      GROUP BY 1, 2, 3, 4, 5, 6, 7)`
  const sumsOfAlike = `
    SELECT new_sums.account_id, span, new_sums.kind, ${Steps.newStart(dialect)} AS start, name, livemode,
      CAST(sum(calls) AS BIGINT) AS calls, CAST(sum(charged_micros) AS BIGINT) AS charged_micros
    FROM (
      SELECT a.account_id, s.span, a.kind, a.hour, a.name, a.livemode, a.calls, a.charged_micros FROM (
        SELECT account_id, hour, kind, CASE kind ${nameOfKind} END AS name, livemode, calls, charged_micros
        FROM alike CROSS JOIN (${eachKind}) each_kind) a
      CROSS JOIN (${eachSpan}) s) new_sums CROSS JOIN ${Steps.everyStep}
    WHERE ${Steps.belongs} GROUP BY 1, 2, 3, 4, 5, 6`

  const prepareMonth = (month: string) => {
    const after = isAfter[dialect](month)
    return {
      /** How many rows follow a place, and the last of them. */
      bound:
        dialect === "sqlite"
          ? prepare<{ n: number; tx: null; seq: number | null; least: number }>(`
              SELECT count(*) AS n, NULL AS tx, max(seq) AS seq, min(calls) AS least FROM (
                SELECT a.seq, coalesce(a.call_count, 1) AS calls FROM ${tableOf(month)} a WHERE ${after} ORDER BY a.seq LIMIT ?)`)
          : prepare<{ n: number; tx: string; seq: number; least: number }>(`
              SELECT n, CAST(tx AS TEXT) AS tx, seq, least FROM (
                SELECT tx, seq, row_number() OVER (ORDER BY tx, seq) AS n, min(calls) OVER () AS least FROM (
                  SELECT a.tx, a.seq, a.calls FROM audit a WHERE ${after}
                    ${isAlone ? "" : "AND a.tx < pg_snapshot_xmin(pg_current_snapshot())"}
                  ORDER BY a.tx, a.seq LIMIT ?) next) numbered
              ORDER BY n DESC LIMIT 1`),
      // Rows that are alike are added once, and most are.
      add: prepare(`
        ${alikeSql(month, "calls > 0")}
        INSERT INTO usage_sums (account_id, span, kind, start, name, livemode, calls, charged_micros)
        ${sumsOfAlike} ORDER BY 1, 2, 3, 4, 5, 6 ${Steps.orAdded}`),
      /** Rows without a call take back the charge of one whose row came before. */
      takeBack: prepare(`
        ${alikeSql(month, "calls = 0")}
        UPDATE usage_sums SET charged_micros = usage_sums.charged_micros + back.charged_micros FROM (${sumsOfAlike}) back
        WHERE usage_sums.account_id = back.account_id AND usage_sums.span = back.span AND usage_sums.kind = back.kind
          AND usage_sums.start = back.start AND usage_sums.name = back.name AND usage_sums.livemode = back.livemode`),
    }
  }
  const prepared = new Map<string, ReturnType<typeof prepareMonth>>()
  const of = (month: string) => getOrMake(prepared, month, prepareMonth)
  return { sql, own, of }
}

/**
 * Adds rows of the trail to the sums, in the order of writing; the steps are in a transaction.
 *
 * @param isAlone nobody else writes, so that no row that is older can come yet
 */
const adding = (queries: Queries, isAlone = false) => {
  const { sql, own, of } = statements(queries, isAlone)

  const readPlace = Step.fn(function* (month: string, folded: number) {
    if (own === undefined) return [folded]
    if (folded === 0) return ["0", 0]
    const place = (yield* own.place.get(month)) ?? (yield* own.numbered.get(month, folded - 1))
    return place === undefined ? ["0", 0] : [place.tx, place.seq]
  })

  const readNextPlace = Step.fn(function* (month: string, place: Place, most: number) {
    const found = yield* of(month).bound.get(...place, most)
    if (found === undefined || found.n === 0 || found.seq === null) return undefined
    const { n: rows, tx, seq, least } = found
    const bound: Bound = { rows, place: tx === null ? [seq] : [tx, seq], takesBack: least === 0 }
    return bound
  })

  /** The sums and how far they go change in one transaction. */
  const addRows = Step.fn(function* (most: number) {
    if (own !== undefined) yield* own.lock.get()
    const months = yield* sql.months.all()
    for (const [at, { month, folded }] of months.entries()) {
      const place = yield* readPlace(month, folded)
      const next = yield* readNextPlace(month, place, most)
      if (next === undefined) continue
      const { add, takeBack } = of(month)
      yield* add.run(...place, ...next.place)
      if (next.takesBack) yield* takeBack.run(...place, ...next.place)
      yield* sql.folded.run(month, folded + next.rows)
      if (own !== undefined) yield* own.placed.run(month, ...next.place)
      // A short slice was the last: calls that go on would add rows without end.
      return { rows: next.rows, more: next.rows === most || at < months.length - 1 }
    }
    return { rows: 0, more: false }
  })

  /** Whether so many rows wait to be folded that a read should not add them. */
  const isBehind = Step.fn(function* () {
    for (const { month, folded } of yield* sql.months.all()) {
      const next = yield* readNextPlace(month, yield* readPlace(month, folded), slice)
      if (next !== undefined && next.rows >= slice) return true
    }
    return false
  })

  return { months: () => sql.months.all(), lock: own?.lock, placeOf: readPlace, addRows, isBehind }
}

/** Adds all rows of a store that nobody else writes to, in a transaction. */
export const countAll = (queries: Queries): Step.Step<void, SqlError> => {
  const { addRows } = adding(queries, true)
  return Step.fn(function* () {
    while ((yield* addRows(longSlice.rows)).rows > 0);
  })()
}

const make = (transactions: Transactions["Type"], tail: Folded, stepSize?: Steps.Size) => {
  const { dialect, write } = transactions
  const { months, lock, placeOf, addRows, isBehind } = adding(transactions)
  const read = tail.rows?.read ?? transactions.read

  let size = slice
  const add = Effect.suspend(() => Effect.timed(write(() => addRows(size)))).pipe(
    Effect.map(([took, added]) => {
      const fitting = (size * longSlice.ms) / Math.max(1, Duration.toMillis(took))
      size = Math.floor(Math.min(Math.max(slice, fitting), 2 * size, longSlice.rows))
      return added
    }),
  )
  // SQLite's tail folds itself; rows that come late are added to the longer spans too.
  const folded = tail.rows === undefined ? add : Effect.succeed({ rows: 0, more: false })
  const steps = Steps.make(transactions, stepSize)
  const stepAt = Step.fn(function* (now: number) {
    if (lock !== undefined) yield* lock.get()
    return yield* steps.slice(now)
  })
  const fold = Effect.gen(function* () {
    const { rows, more } = yield* folded
    if (more) return { rows, more, rests: dialect === "sqlite" }
    const now = yield* Clock.currentTimeMillis
    return { rows, more: yield* write(() => stepAt(now)), rests: true }
  })

  const caughtUp: Effect.Effect<void, Failure> = Effect.flatMap(read(isBehind), (behind) =>
    behind ? Effect.zipRight(Effect.zipRight(add, yieldToEventLoop), caughtUp) : Effect.void,
  )

  /** The months of the trail, each with the end of an account's folded rows. */
  const readMonths = (accountId: string) =>
    Step.map(months(), (all) =>
      tail.rows === undefined ? all : all.map(({ month }) => ({ month, folded: tail.rows!.place(accountId, month) })),
    )
  const collect = Sums.make(Sums.reading(transactions, readMonths, placeOf, tail.rows?.version, steps.state), read)

  /** Sums of whole spans up to the last call. */
  const readSums = (accountId: string, { from, to, span, livemode }: UsageQuery, parts: ReadonlyArray<Sums.Part>) => {
    const most = mostSpans[span]
    if (!(from >= 0 && to >= from && to - from <= most * spans[span])) {
      return invalid("to", `to must not be before from, nor more than ${most} ${span}s after it.`)
    }
    const range = { from: spanStart(span, from), to: nextSpanStart(span, to), livemode }
    return Effect.zipRight(
      tail.rows === undefined ? caughtUp : tail.account(accountId),
      collect(accountId, range, parts),
    )
  }

  return {
    fold,
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

/** @param stepSize of the slices in which sums become those of longer spans; absent: the store's */
export const layerWith = (stepSize?: Steps.Size): Layer.Layer<Usage, never, Transactions> =>
  Layer.effect(
    Usage,
    Effect.zipWith(Transactions, ledgerTail, (transactions, tail) => make(transactions, tail, stepSize)),
  )

export const layer: Layer.Layer<Usage, never, Transactions> = layerWith()
