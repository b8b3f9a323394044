import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Hash from "effect/Hash"
import { type Failure, fail, type Hint } from "../Failure.ts"
import { byKey } from "../text.ts"
import type { Answer } from "./Answer.ts"
import type * as Endpoint from "./Endpoint.ts"

/** Binds a cursor to one endpoint and one set of filters; page size and field selection may change. */
const fingerprint = (endpoint: string, filters: Readonly<Record<string, unknown>>): number =>
  Hash.string(
    JSON.stringify([
      endpoint,
      Object.entries(filters)
        .filter(([name]) => name !== "cursor" && name !== "limit")
        .sort(byKey),
    ]),
  )

/** The opaque cursor for the rows after a sort key. */
export const encode = (endpoint: string, filters: Readonly<Record<string, unknown>>, key: string): string =>
  Encoding.encodeBase64Url(JSON.stringify([fingerprint(endpoint, filters), key]))

/** The cursor of an answer's next page; undefined on the last page. */
export const next = (
  { id }: Endpoint.Any,
  params: Readonly<Record<string, unknown>>,
  answer: Pick<Answer<unknown>, "next">,
): string | undefined => (answer.next === undefined ? undefined : encode(id, params, answer.next))

/** The sort key; undefined when the cursor is malformed or belongs to other filters. */
export const decode = (
  endpoint: string,
  filters: Readonly<Record<string, unknown>>,
  cursor: string,
): string | undefined => {
  const text = Encoding.decodeBase64UrlString(cursor)
  if (Either.isLeft(text)) return undefined
  try {
    const value: unknown = JSON.parse(text.right)
    return Array.isArray(value) &&
      value.length === 2 &&
      value[0] === fingerprint(endpoint, filters) &&
      typeof value[1] === "string" &&
      !value[1].includes("\u0000")
      ? value[1]
      : undefined
  } catch {
    return undefined
  }
}

export const hint: Hint = {
  field: "cursor",
  action: "change",
  suggestion: "Use the cursor that a page with the same parameters gives for the next one, or omit cursor.",
}

/** The failure for a sort key that is not in the lane's rows. */
export const badCursor: Failure = fail("invalid_parameter", { hints: [hint] })

/** The sort keys of a list. */
export interface Keys<Row> {
  readonly of: (row: Row) => string
  readonly form: RegExp
}

/** A page of at most `limit` rows, and the sort key of its last row when another page exists. */
export const takePage = <Row>(rows: ReadonlyArray<Row>, { of }: Keys<Row>, limit = rows.length) => {
  const page = rows.slice(0, limit)
  return { page, ...(page.length < rows.length && { next: of(page.at(-1)!) }) }
}

/**
 * The rows after a sort key; all rows without one. A cursor is neither secret nor signed, so anybody can write one: a key
 * of another form, or one that cannot be the end of a page of these rows, is an error.
 *
 * @param rows in the order of their keys
 */
export const rest = <Row>(
  rows: ReadonlyArray<Row>,
  { of, form }: Keys<Row>,
  key: string | undefined,
): Either.Either<ReadonlyArray<Row>, Failure> => {
  if (key === undefined) return Either.right(rows)
  const [first, last] = [rows[0], rows.at(-1)]
  return first !== undefined && last !== undefined && form.test(key) && of(first) <= key && key < of(last)
    ? Either.right(rows.filter((row) => of(row) > key))
    : Either.left(badCursor)
}
