import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/** Whether an answer is read although some of its rows are refused. */
export type Policy = (refused: number, total: number) => boolean

/** No row may be refused: a missing one would change the others' meaning. */
export const every: Policy = (refused) => refused === 0

/** One row may be refused, or a share of the rows: if more are, the source has changed. */
export const most =
  (share: number): Policy =>
  (refused, total) =>
    refused < Math.max(1, total) && refused <= Math.max(1, share * total)

/** The rows have nothing to do with each other. */
export const any: Policy = (refused, total) => refused === 0 || refused < total

/** The usable rows of an answer, and why the others are refused. */
export interface Rows<A> {
  readonly good: ReadonlyArray<A>
  readonly refused: ReadonlyArray<string>
}

const decoder = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknownEither(schema)
  return (row: unknown): A | string =>
    Either.match(decode(row), {
      onLeft: (issue) => {
        const [first] = ParseResult.ArrayFormatter.formatIssueSync(issue)
        // What the row has instead stands behind "actual": it is the source's text.
        return `${first?.path.join(".") || "a row"}: ${first?.message.split(", actual ")[0]}`.slice(0, 200)
      },
      onRight: (read) => read,
    })
}

/**
 * Reads the rows of an answer one by one; those that cannot be read, or do not belong to the question, are refused.
 *
 * @param reader a schema, or a function that gives an object, or why the row cannot be read
 * @returns the rows; left: why too many of them are refused
 */
export const rows = <A extends object, I = unknown>(
  reader: Schema.Schema<A, I> | ((row: unknown) => A | string),
  policy: Policy,
): ((list: ReadonlyArray<unknown>, doubt?: (row: A) => string | undefined) => Either.Either<Rows<A>, string>) => {
  const read =
    typeof reader === "function" && !Schema.isSchema(reader) ? reader : decoder(reader as Schema.Schema<A, I>)
  return (list, doubt = () => undefined) => {
    const good: Array<A> = []
    const refused: Array<string> = []
    for (const each of list) {
      const row = read(each)
      const reason = typeof row === "string" ? row : doubt(row)
      if (reason === undefined) good.push(row as A)
      else refused.push(reason)
    }
    return policy(refused.length, list.length)
      ? Either.right({ good, refused })
      : Either.left(`${refused.length} of ${list.length} rows are refused; of the first, ${refused[0]}`)
  }
}
