import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { MicroUsd } from "../../core/account/Money.ts"
import { type Span, spans, type UsageGroup, type UsageSum } from "../../core/account/Usage.ts"
import { breath } from "../../core/breath.ts"
import type { Failure } from "../../core/Failure.ts"
import * as Step from "../../core/Step.ts"
import { hour } from "../../core/time.ts"
import type { Transactions, Value } from "./Transactions.ts"
import { isAfter, named, type Place, rowsOf } from "./usageRows.ts"

/** Sums that are read one by one in one turn of the event loop: about two milliseconds. */
const turn = 2_000

/** Sums that the store adds up in one turn: about four milliseconds. */
const added = 10_000

/** A month of the audit trail and the number of its rows that are folded. */
export interface Month {
  readonly month: string
  readonly folded: number
}

export interface Range {
  /** The beginning of a span, and the end of one. */
  readonly from: number
  readonly to: number
  readonly livemode: boolean | undefined
}

/** Which sums are read. */
export interface Part {
  readonly kind: UsageGroup
  readonly span: Span
  /** One sum for the whole range instead of one for each span. */
  readonly isWhole?: boolean
}

interface Row {
  readonly at: number
  readonly name: string
  readonly livemode: number
  readonly calls: number
  readonly charged: number
}

/** Calls that are not folded yet: those of an hour that are alike in the groups that are asked for. */
type Tail = Readonly<Record<UsageGroup, string>> & Omit<Row, "name" | "livemode">

/** Changes with every fold. */
const versionOf = (months: ReadonlyArray<Month>): string =>
  months.map(({ month, folded }) => `${month} ${folded}`).join(" ")

/** Sums that grow while they are read. */
interface Count {
  calls: number
  charged: number
}

/** In order of span and group. */
const sorted = (found: ReadonlyMap<number, ReadonlyMap<string, Count>>): ReadonlyArray<UsageSum> =>
  [...found.keys()]
    .sort((one, other) => one - other)
    .flatMap((at) =>
      [...found.get(at)!]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([group, { calls, charged }]) => ({ at, group, calls, charged: MicroUsd(charged) })),
    )

/**
 * Reads of the sums together with the rows that are not folded yet.
 *
 * @param months all months of the trail, as they are now
 * @param placeOf the end of a month's folded rows
 */
export const make = (
  { dialect, prepare, read }: Transactions["Type"],
  months: () => Step.Step<ReadonlyArray<Month>, SqlError>,
  placeOf: (month: string, folded: number) => Step.Step<Place, SqlError>,
) => {
  const columns = `
    SELECT start AS at, name, livemode, calls, charged_micros AS charged FROM usage_sums
    WHERE account_id = ? AND span = ? AND kind = ? AND livemode = coalesce(CAST(? AS INTEGER), livemode)`
  // Two statements: SQLite does not seek by a place that is in two columns.
  const ofStart = prepare<Row>(`
    ${columns} AND start = ? AND name >= ? AND (name, livemode) > (?, ?) ORDER BY name, livemode LIMIT ?`)
  const later = prepare<Row>(`${columns} AND start > ? AND start < ? ORDER BY start, name, livemode LIMIT ?`)

  // The sums of a whole range: the names of a slice over all its spans. What a slice adds is small, and ordered by name.
  const starts = `
    WITH RECURSIVE starts(start) AS (
      SELECT CAST(? AS BIGINT) UNION ALL
      SELECT start + CAST(? AS BIGINT) FROM starts WHERE start + CAST(? AS BIGINT) < CAST(? AS BIGINT))`
  const own = `
    u.account_id = ? AND u.span = ? AND u.kind = ? AND u.start = starts.start
    AND u.livemode = coalesce(CAST(? AS INTEGER), u.livemode) AND u.name >= ?`
  const total = (end: string) =>
    prepare<Omit<Row, "at" | "livemode">>(`${starts}
      SELECT u.name, CAST(sum(u.calls) AS BIGINT) AS calls, CAST(sum(u.charged_micros) AS BIGINT) AS charged
      FROM starts CROSS JOIN usage_sums u WHERE ${own} ${end} GROUP BY u.name`)
  const sql = {
    /** The first name after those of a slice, which has so many sums of each span at most; null: there is none. */
    end: prepare<{ name: string | null }>(`${starts}
      SELECT min((SELECT u.name FROM usage_sums u WHERE ${own} ORDER BY u.name LIMIT 1 OFFSET ?)) AS name FROM starts`),
    slice: total("AND u.name < ?"),
    rest: total(""),
  }

  const modeOf = ({ livemode }: Range): Value => (livemode === undefined ? null : Number(livemode))

  const tailOf = Step.fn(function* (accountId: string, range: Range, kinds: ReadonlyArray<UsageGroup>) {
    const all = yield* months()
    const version = versionOf(all)
    if (all.length === 0) return { version, tail: [] }
    const params: Array<Value> = []
    const tails: Array<string> = []
    for (const { month, folded } of all) {
      tails.push(`
        SELECT * FROM (${rowsOf(dialect, month)} WHERE ${isAfter[dialect](month)}
          AND ${dialect === "sqlite" ? "c" : "a"}.account_id = ?) tail WHERE at >= ? AND at < ?`)
      params.push(...(yield* placeOf(month, folded)), accountId, range.from, range.to)
    }
    const tail = yield* prepare<Tail>(`
      SELECT at - at % ${hour} AS at, ${kinds.map((kind) => `${named[kind]} AS ${kind}`).join(", ")},
        CAST(sum(calls) AS BIGINT) AS calls, CAST(sum(charged_micros) AS BIGINT) AS charged
      FROM (${tails.join(" UNION ALL ")}) every_row WHERE livemode = coalesce(CAST(? AS INTEGER), livemode)
      GROUP BY 1, ${kinds.map((_, n) => n + 2).join(", ")}`).all(...params, modeOf(range))
    return { version, tail }
  })

  const first = (from: number) => ({ at: from, name: "", livemode: -1 })

  /** The sums that follow, and the version of the trail after they were read. */
  const nextOf = Step.fn(function* (
    accountId: string,
    range: Range,
    { kind, span }: Part,
    { at, name, livemode }: ReturnType<typeof first>,
  ) {
    const whose = [accountId, spans[span], kind, modeOf(range)]
    const rows = [...(yield* ofStart.all(...whose, at, name, name, livemode, turn))]
    if (rows.length < turn) rows.push(...(yield* later.all(...whose, at, range.to, turn - rows.length)))
    return { rows, version: versionOf(yield* months()) }
  })

  /** The totals of the next names, the name after them, and the version of the trail after they were read. */
  const sliceOf = Step.fn(function* (accountId: string, range: Range, { kind, span }: Part, name: string) {
    const size = spans[span]
    const whose = [range.from, size, size, range.to, accountId, size, kind, modeOf(range), name]
    // A name has two sums of a span at most, so that each slice ends after another name than the one before.
    const each = Math.max(2, Math.floor((added * size) / (range.to - range.from)))
    const end = (yield* sql.end.get(...whose, each))?.name ?? undefined
    const rows = end === undefined ? yield* sql.rest.all(...whose) : yield* sql.slice.all(...whose, end)
    return { rows, end, version: versionOf(yield* months()) }
  })

  /** The sums of each part, of one state of the trail. Many take several turns; after a fold in between, they begin anew. */
  const collect = (
    accountId: string,
    range: Range,
    parts: ReadonlyArray<Part>,
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<UsageSum>>, Failure> =>
    Effect.gen(function* () {
      const kinds = [...new Set(parts.map(({ kind }) => kind))]
      const { tail, version } = yield* read(() => tailOf(accountId, range, kinds))
      const all: Array<ReadonlyArray<UsageSum>> = []
      for (const part of parts) {
        const size = spans[part.span]
        const found = new Map<number, Map<string, Count>>()
        const add = (time: number, group: string, calls: number, charged: number): void => {
          const at = part.isWhole === true ? range.from : time - (time % size)
          const ofSpan = found.get(at) ?? new Map<string, Count>()
          found.set(at, ofSpan)
          const count = ofSpan.get(group)
          if (count === undefined) ofSpan.set(group, { calls, charged })
          else {
            count.calls += calls
            count.charged += charged
          }
        }
        const again = Effect.zipRight(breath, collect(accountId, range, parts))
        if (part.isWhole === true) {
          let name: string | undefined = range.from < range.to ? "" : undefined
          while (name !== undefined) {
            const next: string = name
            const { rows, end, version: now } = yield* read(() => sliceOf(accountId, range, part, next))
            if (now !== version) return yield* again
            for (const { name: group, calls, charged } of rows) add(range.from, group, calls, charged)
            name = end
            if (name !== undefined) yield* breath
          }
        } else {
          let place: ReturnType<typeof first> | undefined = range.from < range.to ? first(range.from) : undefined
          while (place !== undefined) {
            const after: ReturnType<typeof first> = place
            const { rows, version: now } = yield* read(() => nextOf(accountId, range, part, after))
            if (now !== version) return yield* again
            for (const { at, name, calls, charged } of rows) add(at, name, calls, charged)
            place = rows.length < turn ? undefined : rows.at(-1)
            if (place !== undefined) yield* breath
          }
        }
        for (const { at, calls, charged, ...names } of tail) add(at, names[part.kind], calls, charged)
        all.push(sorted(found))
      }
      return all
    })
  return collect
}
