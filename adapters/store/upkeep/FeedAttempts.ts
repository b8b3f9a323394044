import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import type { Attempt, FeedStatus } from "../../../core/feeds/Due.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import * as Step from "../../../core/Step.ts"
import type { Transactions } from "../engine/Transactions.ts"

export type Attempts = Pick<FeedStatus, "attemptedAt" | "goodAt" | "refusal" | "newFields">

interface Row {
  readonly feed: string
  readonly attempted_at: number
  readonly good_at: number | null
  readonly refused_at: number | null
  readonly refusal: string | null
  /** JSON: when each column or field first came, epoch milliseconds by name. */
  readonly fields: string
}

/** Maximum characters of a refusal that are stored, since an upstream's text may be of any length. */
const maxReasonLength = 500

const parseSince = (row: Row | undefined): Readonly<Record<string, number>> =>
  row === undefined ? {} : JSON.parse(row.fields)

/** The fields that came after the first ones. */
const listNewFields = (since: Readonly<Record<string, number>>): Attempts["newFields"] => {
  const first = Math.min(...Object.values(since))
  return Object.entries(since).flatMap(([name, at]) => (at > first ? [{ name, at }] : []))
}

const attemptsFromRow = (row: Row): Attempts => {
  const { attempted_at, good_at, refused_at, refusal } = row
  return {
    attemptedAt: attempted_at,
    ...ifDefined("goodAt", good_at ?? undefined),
    ...(refused_at === null || refusal === null ? {} : { refusal: { at: refused_at, reason: refusal } }),
    newFields: listNewFields(parseSince(row)),
  }
}

/** The last attempts to read each feed, by its name. */
export const make = ({ prepare, read, write }: Transactions["Type"]) => {
  const all = prepare<Row>("SELECT * FROM feed_attempts")
  const one = prepare<Row>("SELECT * FROM feed_attempts WHERE feed = ?")
  const put = prepare(`
    INSERT INTO feed_attempts (feed, attempted_at, good_at, refused_at, refusal, fields) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (feed) DO UPDATE SET
      attempted_at = excluded.attempted_at, good_at = excluded.good_at, refused_at = excluded.refused_at,
      refusal = excluded.refusal, fields = excluded.fields`)

  const add = Step.fn(function* ({ feed: { name }, at, refusal, fields = [] }: Attempt) {
    const previous = yield* one.get(name)
    const since = parseSince(previous)
    const fresh = fields.filter((field) => since[field] === undefined)
    yield* put.run(
      name,
      at,
      refusal === undefined ? at : (previous?.good_at ?? null),
      refusal === undefined ? (previous?.refused_at ?? null) : at,
      refusal === undefined ? (previous?.refusal ?? null) : refusal.slice(0, maxReasonLength),
      JSON.stringify({ ...since, ...Object.fromEntries(fresh.map((field) => [field, at])) }),
    )
    return Object.keys(since).length === 0 ? [] : fresh
  })

  return {
    all: Effect.map(
      read(() => all.all()),
      (rows) => new Map(rows.map((row) => [row.feed, attemptsFromRow(row)])),
    ),
    last: (name: string): Effect.Effect<Attempts, Failure> =>
      Step.map(
        read(() => one.get(name)),
        (row) => (row === undefined ? { newFields: [] } : attemptsFromRow(row)),
      ),
    /** Stores an attempt. @returns fields that came for the first time, after others */
    add: (attempt: Attempt): Effect.Effect<ReadonlyArray<string>, Failure> => write(() => add(attempt)),
  }
}
