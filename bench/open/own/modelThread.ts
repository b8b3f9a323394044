// The thread of a user's model. It is sent facts and questions, never outcomes.
import { parentPort, workerData } from "node:worker_threads"
import { moduleModel } from "../../../adapters/runtime/node/moduleModel.ts"
import type { Known } from "../../../core/History.ts"
import type { Case } from "../compare/Task.ts"
import { walkSteps } from "../compare/walk.ts"

/** The message to the thread. */
export interface Sent {
  readonly file: string
  readonly facts: ReadonlyArray<Known<unknown>>
  readonly cases: ReadonlyArray<Pick<Case<unknown, unknown>, "id" | "at" | "question">>
}

/** Its answers: the name of the model, then a forecast for each case in order, or an error. */
export type Reply =
  | { readonly name: string; readonly version: string | undefined }
  | { readonly id: string; readonly forecast: unknown }
  | { readonly id?: string; readonly failed: string }

const port = parentPort!
const say = (reply: Reply): void => port.postMessage(reply)
const textOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

const run = async ({ file, facts, cases }: Sent): Promise<void> => {
  const { name, version, start } = await moduleModel(file)
  const forecaster = start()
  say({ name, version })
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
