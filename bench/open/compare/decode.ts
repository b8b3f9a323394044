import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { BenchError } from "./BenchError.ts"
import type { AnyTask, Task } from "./Task.ts"

/** A name too few or too many: in a union it may be that of another member. */
const isOfNames = ({ _tag }: ParseResult.ArrayFormatterIssue): boolean => _tag === "Missing" || _tag === "Unexpected"

/** The issue that says most: in a union, of the member that fits best, which has a wrong value, and the deepest one. */
const foremost = (issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>) =>
  [...issues].sort((a, b) => Number(isOfNames(a)) - Number(isOfNames(b)) || b.path.length - a.path.length)[0]!

/**
 * Reads a forecast as others write it.
 *
 * @param where the row: a line of a file, or the question that a model was asked
 */
export const decoder = <Question, Fact, Forecast, Outcome>({
  forecast,
}: Pick<Task<Question, Fact, Forecast, Outcome>, "forecast">) => {
  const decode = Schema.decodeUnknownEither(forecast, { onExcessProperty: "error" })
  return (where: string, value: unknown): Either.Either<Forecast, BenchError> =>
    Either.mapLeft(decode(value), ({ issue }) => {
      const { path, message } = foremost(ParseResult.ArrayFormatter.formatIssueSync(issue))
      return new BenchError({ message: `${where}${path.map((key) => `, ${String(key)}`).join("")}: ${message}` })
    })
}

export const casesById = (task: Pick<AnyTask, "cases">): ReadonlyMap<string, AnyTask["cases"][number]> =>
  new Map(task.cases.map((each) => [each.id, each]))
