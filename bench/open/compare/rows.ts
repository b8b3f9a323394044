import * as Csv from "../../../core/csv/write.ts"
import { iso } from "../../../core/time.ts"
import type { Contender } from "./compare.ts"
import type { Task } from "./Task.ts"

const line = (cells: ReadonlyArray<unknown>): string => `${Csv.toLine(cells)}\r\n`

/** Every question with its outcome, each contender's forecast and its scores, as the lines of a CSV file. */
export function* rows<Question, Fact, Forecast, Outcome>(
  { cases, measures }: Task<Question, Fact, Forecast, Outcome>,
  contenders: ReadonlyArray<Contender<Forecast>>,
): Generator<string, void> {
  yield line([
    "id",
    "at",
    "cluster",
    "groups",
    "outcome",
    ...contenders.flatMap(({ name }) => [name, ...measures.map((measure) => `${name}: ${measure.name}`)]),
  ])
  for (const { id, at, cluster, groups, question, outcome } of cases) {
    yield line([
      id,
      iso(at),
      cluster,
      groups.join("; "),
      outcome,
      ...contenders.flatMap(({ forecasts }) => {
        const forecast = forecasts.get(id)
        const scores = measures.map(({ score }) => forecast && score(forecast, outcome, question))
        return [forecast, ...scores]
      }),
    ])
  }
}

/** The questions alone, without outcomes, one JSON object a line: what a file of forecasts answers. */
export function* questions({
  cases,
}: Pick<Task<unknown, unknown, unknown, unknown>, "cases">): Generator<string, void> {
  for (const { id, at, question } of cases) yield `${JSON.stringify({ id, at: iso(at), question })}\n`
}
