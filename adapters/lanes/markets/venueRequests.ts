import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Failure } from "../../../core/Failure.ts"
import type { PartialResult } from "../../../core/lanes/markets/ports.ts"
import { sharedValue } from "../../../core/sources/identity.ts"
import { most, rows } from "../../../core/sources/rows.ts"
import { misshapen, toFailure, type Upstream, type UpstreamError } from "../../runtime/upstream/upstream.ts"

/** A field that may be absent or null. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })

/** A time that JavaScript reads. */
export const instant = Schema.String.pipe(Schema.filter((text) => !Number.isNaN(Date.parse(text))))

/**
 * All rows of a list that a venue gives page by page.
 *
 * @param what names the list in the error of one with more pages than may be asked for
 * @param ask requests the page at a cursor, empty for the first one; `next` is empty on the last one
 */
export const allPages = (
  upstream: Upstream,
  what: string,
  ask: (
    cursor: string,
  ) => Effect.Effect<{ readonly rows: ReadonlyArray<unknown>; readonly next: string }, UpstreamError>,
  maxPages = 50,
): Effect.Effect<ReadonlyArray<unknown>, UpstreamError> =>
  Effect.gen(function* () {
    const all: Array<unknown> = []
    let cursor = ""
    for (let page = 0; page < maxPages; page++) {
      const { rows, next } = yield* ask(cursor)
      all.push(...rows)
      if (next === "") return all
      if (next === cursor) break
      cursor = next
    }
    return yield* misshapen(upstream, `${what} does not end within ${maxPages} pages, or begins again.`)
  })

/** One unreadable row, and a tenth of them, are odd markets; more are another form of the list. */
const mostRows = most(0.1)

/** The readable rows; fails when many are unreadable, as after a change at the venue. */
export const readReadable =
  <A extends object, I>(schema: Schema.Schema<A, I>, upstream: Upstream) =>
  (list: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<A>, UpstreamError> =>
    Effect.mapBoth(rows(schema, mostRows)(list), {
      onSuccess: ({ good }) => good,
      onFailure: (reason) => misshapen(upstream, reason),
    })

const textAt = (row: unknown, field: string): string | undefined => {
  const value: unknown = typeof row === "object" && row !== null ? Reflect.get(row, field) : undefined
  return typeof value === "string" ? value : undefined
}

/**
 * For an identity check: the requested values if some row has one of them in the field, else the values of the rows.
 * Without a readable row or without a request there is nothing to contradict it.
 *
 * @param asked comma-separated
 */
export const pickStated = (
  list: ReadonlyArray<unknown>,
  field: string,
  asked: string | undefined,
  part: (value: string) => string = (value) => value,
): readonly [stated: string | undefined, asked: string] => {
  const stated = list.flatMap((row) => textAt(row, field) ?? []).map(part)
  const names = new Set(asked?.split(","))
  const isOne = asked === undefined || stated.length === 0 || stated.some((name) => names.has(name))
  return [isOne ? (asked ?? "") : sharedValue(stated), asked ?? ""]
}

/** After this many failures in a row the upstream counts as down; the remaining parts are not requested. */
const maxFailuresInARow = 2

/** Whether a failure concerns the whole upstream, not one request. */
const isDown = ({ reason, status = 0 }: UpstreamError): boolean =>
  reason === "timeout" ||
  reason === "paused" ||
  reason === "throttled" ||
  reason === "transport" ||
  status === 403 ||
  status === 429 ||
  status >= 500

/** Requests parts one after the other. A failed part does not affect the others; fails only if all parts fail. */
export const partByPart = <Part, A>(
  parts: ReadonlyArray<Part>,
  nameOf: (part: Part) => string,
  ask: (part: Part) => Effect.Effect<ReadonlyArray<A>, UpstreamError>,
): Effect.Effect<PartialResult<A>, Failure> =>
  Effect.gen(function* () {
    const items: Array<A> = []
    const failed: Array<{ readonly part: string; readonly error: UpstreamError }> = []
    let inARow = 0
    for (const part of parts) {
      const last = failed.at(-1)?.error
      const answer: Either.Either<ReadonlyArray<A>, UpstreamError> = last !== undefined && inARow >= maxFailuresInARow
        ? Either.left(last)
        : yield* Effect.either(ask(part))
      if (Either.isRight(answer)) {
        items.push(...answer.right)
        inARow = 0
      } else {
        failed.push({ part: nameOf(part), error: answer.left })
        inARow = isDown(answer.left) ? inARow + 1 : 0
      }
    }
    const [first] = failed
    if (first !== undefined && failed.length === parts.length) return yield* Effect.fail(toFailure(first.error))
    return { items, failed: failed.map(({ part, error }) => ({ part, failure: toFailure(error) })) }
  })

/** The same for tickers, `size` of them in a request. */
export const chunkByChunk = <A>(
  tickers: ReadonlyArray<string>,
  size: number,
  ask: (some: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<A>, UpstreamError>,
): Effect.Effect<PartialResult<A>, Failure> =>
  partByPart(Arr.chunksOf(tickers, size), (some) => `${some[0]} and ${some.length - 1} more`, ask)
