import { existsSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { file, flag, integer, optional, text, withDefault } from "../../../services/cli/parameters.ts"
import { type Command, make, type Parameters, type Values } from "../../../services/cli/parser.ts"
import { print } from "../../../services/cli/shared.ts"
import { UsageError } from "../../../services/exit.ts"
import { BenchError } from "../compare/BenchError.ts"
import { type Contender, compare } from "../compare/compare.ts"
import { month } from "../compare/divisions.ts"
import { questions } from "../compare/rows.ts"
import type { AnyTask } from "../compare/Task.ts"
import { table } from "../compare/table.ts"
import { readForecasts } from "../own/forecastFile.ts"
import { ownModel } from "../own/ownModel.ts"
import { result, write, writeLines } from "../report/files.ts"

/** The options of every lane. */
const common = {
  model: {
    ...optional(file("model", "A module of your own: it exports forecast(question, history).")),
    example: "mine.mjs",
  },
  forecasts: optional(file("forecasts", "Forecasts of your own, CSV or NDJSON: id, at, and the forecast's columns.")),
  name: optional(text("name", "How the results name your forecasts.")),
  questions: optional(text("questions", "Write the questions to this file, without answers, and end.")),
  out: optional(text("out", "A folder for the report: JSON, CSV of every row, pictures and an HTML page.")),
  by: optional(text("by", "Divide the questions: by month, or as the lane's table in the README says.")),
  seed: withDefault(integer("seed", "Of the bootstrap. Default 1."), 1),
  replicates: withDefault(integer("replicates", "Rounds of the bootstrap. Default 2000."), 2_000),
  seconds: withDefault(integer("seconds", "Longest time for one forecast of your model. Default 60."), 60),
  json: flag("json", "Print the comparison as one JSON object."),
}

type Given = Values<typeof common>

/** The program of a model's thread: in a checkout one that compiles, in the package what was built of it. */
const thread = (): URL => {
  const isSource = import.meta.url.endsWith(".ts")
  const places = isSource ? ["../own/modelThread.mjs"] : ["./own/modelThread.js", "../own/modelThread.js"]
  const found = places.map((place) => new URL(place, import.meta.url)).find((place) => existsSync(fileURLToPath(place)))
  if (found === undefined) throw new Error("The program of a model's thread is missing.")
  return found
}

const read = (file: string): Effect.Effect<string, BenchError> =>
  Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: (error) => new BenchError({ message: (error as Error).message }),
  })

/** The user's forecasts: from a module, a file, or both. */
const brought = (task: AnyTask, { model, forecasts, name, seconds }: Given) =>
  Effect.gen(function* () {
    const own: Array<Contender<unknown>> = []
    if (model !== undefined) {
      const found = yield* ownModel(task, model, { thread: thread(), seconds })
      own.push({ ...found, name: name ?? found.name })
    }
    if (forecasts !== undefined) {
      const rows = yield* readForecasts(task, forecasts, yield* read(forecasts))
      const title = name !== undefined && model === undefined ? name : basename(forecasts)
      own.push({ kind: "own", name: title, forecasts: rows })
    }
    return own
  })

const division = ({ lane, divisions = {} }: AnyTask, name: string) => {
  const all = { month, ...divisions }
  const found = all[name as keyof typeof all]
  return found === undefined
    ? Effect.fail(new UsageError(`--by: questions of ${lane} are divided by ${Object.keys(all).join(", ")}.`))
    : Effect.succeed({ name, division: found })
}

/** The command line as one would type it. */
const typed = (): string => ["market-signals-bench", ...process.argv.slice(2)].join(" ")

/** Runs the comparison that a command line asks for. */
const run = (task: AnyTask, given: Given) =>
  Effect.gen(function* () {
    if (task.cases.length === 0) yield* new BenchError({ message: "The data have no question with an answer." })
    if (given.questions !== undefined) {
      const [file, count] = [given.questions, task.cases.length]
      yield* writeLines(file, questions(task))
      yield* print(given.json, { file, questions: count }, `${file}: ${count} questions.`)
      return
    }
    if (given.replicates < 2) yield* Effect.fail(new UsageError("--replicates: expected 2 or more."))
    const by = given.by === undefined ? undefined : yield* division(task, given.by)
    const { comparison, contenders } = yield* compare(task, yield* brought(task, given), given, by)
    const files = given.out !== undefined ? yield* write(given.out, task, comparison, contenders, typed()) : []
    yield* Console.log(
      given.json ? JSON.stringify(result(comparison, typed())) : [table(comparison), ...files].join("\n"),
    )
  })

/** A command that compares on the task which its parameters name. */
export const comparing = <const P extends Parameters>(
  name: string,
  description: string,
  parameters: P,
  read: (values: Values<P>) => Effect.Effect<AnyTask, Error>,
): Command =>
  make(name, description, { task: parameters as Parameters, ...common }, ({ task, ...given }) =>
    Effect.flatMap(read(task as Values<P>), (found) => run(found, given)),
  )
