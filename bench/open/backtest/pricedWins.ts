// Home wins with the served model's probability and a price, walking forward: what `backtest:day` reads.
import * as Effect from "effect/Effect"
import type { WeighedRow } from "../../../core/record/scoreboard/anchorWeight.ts"
import { day, hour } from "../../../core/time.ts"
import { entered } from "../compare/compare.ts"
import type { Task } from "../compare/Task.ts"
import { baseballTask } from "../lanes/baseball/task.ts"
import { footballTask } from "../lanes/football/task.ts"
import { recordedIn } from "../recorded.ts"

/** Half of a spread of two cents around the recorded price, and the venue's fee, in ten-thousandths. */
export const [halfSpread, feeRate] = [100, 700]

export interface Priced extends WeighedRow {
  /** Of the task's case. */
  readonly id: string
  readonly quotes: NonNullable<WeighedRow["quotes"]>
  readonly result: "yes" | "no"
}

/** The home wins of a task on which the served model and the market have spoken. */
const rowsOf = async <Question, Fact, Forecast extends { readonly winHome?: number | undefined }>(
  domain: "nfl" | "mlb",
  task: Task<Question, Fact, Forecast, { readonly home: number; readonly away: number }>,
): Promise<ReadonlyArray<Priced>> => {
  const all = await Effect.runPromise(entered(task))
  const [model, market] = (["served", "market"] as const).map((kind) => all.find((one) => one.kind === kind)!.forecasts)
  return task.cases.flatMap(({ id, at, outcome: { home, away } }): ReadonlyArray<Priced> => {
    const [own, price] = [model!.get(id)?.winHome, market!.get(id)?.winHome]
    const mid = Math.round((price ?? 0) * 10_000)
    if (own === undefined || mid <= halfSpread || mid >= 10_000 - halfSpread || home === away) return []
    const [yesBid, yesAsk] = [mid - halfSpread, mid + halfSpread]
    return [
      {
        ...{ id, domain, capturedAt: at, closeTime: at + 18 * hour, settledAt: at + day },
        model: Math.round(own * 1e6),
        quotes: { yesBid, yesAsk, noAsk: 10_000 - yesBid },
        result: home > away ? "yes" : "no",
      },
    ]
  })
}

export const footballWins = async (data: string): Promise<ReadonlyArray<Priced>> =>
  rowsOf("nfl", footballTask(await recordedIn(data).football()))

export const baseballWins = async (data: string): Promise<ReadonlyArray<Priced>> =>
  rowsOf("mlb", baseballTask(await recordedIn(data).baseball()))
