// The thread of a model that somebody brings. It is sent facts and questions, never outcomes.
import { pathToFileURL } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import type { Known } from "../../core/bench/History.ts"
import type { Case, Forecaster } from "../../core/bench/Task.ts"
import { walkSteps } from "../../core/bench/walk.ts"

/** Everything that the thread is sent. */
export interface Sent {
  readonly file: string
  readonly facts: ReadonlyArray<Known<unknown>>
  readonly cases: ReadonlyArray<Pick<Case<unknown, unknown>, "id" | "at" | "question">>
}

/** What it answers: who it is, then a forecast for each case in order, or what went wrong. */
export type Said =
  | { readonly name: string | undefined; readonly version: string | undefined }
  | { readonly id: string; readonly forecast: unknown }
  | { readonly id?: string; readonly failed: string }

const port = parentPort!
const say = (said: Said): void => port.postMessage(said)
const textOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))
const wordOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

type Any = Forecaster<unknown, unknown, unknown>
interface Module {
  readonly name?: unknown
  readonly version?: unknown
  readonly start?: () => Any
  readonly forecast?: Any
}

const forecasterOf = (found: Module): Any | undefined => {
  if (typeof found.start === "function") return found.start()
  return typeof found.forecast === "function" ? found.forecast : undefined
}

const run = async ({ file, facts, cases }: Sent): Promise<void> => {
  const imported = (await import(pathToFileURL(file).href)) as Module & { readonly default?: Module }
  const found = imported.default ?? imported
  const forecaster = forecasterOf(found)
  if (typeof forecaster !== "function") {
    return say({ failed: "exports neither forecast(question, history) nor start() that returns such a function." })
  }
  say({ name: wordOf(found.name), version: wordOf(found.version) })
  let asked = cases[0]?.id
  try {
    const all = cases.map((each) => ({ ...each, cluster: "", groups: [], outcome: undefined }))
    let at = 0
    for (const { id, forecast } of walkSteps({ facts, cases: all }, forecaster)) {
      asked = id
      say({ id, forecast: await forecast })
      asked = cases[++at]?.id
    }
  } catch (error) {
    say({ ...(asked === undefined ? {} : { id: asked }), failed: textOf(error) })
  }
}

run(workerData as Sent).catch((error: unknown) => say({ failed: textOf(error) }))
