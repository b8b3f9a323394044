// Home wins with the served model's probability and a price, walking forward: what `backtest:pool` and `backtest:day` read.
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { WeighedRow } from "../../../core/record/scoreboard/anchorWeight.ts"
import { day, hour } from "../../../core/time.ts"
import { entered } from "../compare/compare.ts"
import type { Task } from "../compare/Task.ts"
import { present } from "../inputs.ts"
import { readBaseball } from "../lanes/baseball/files.ts"
import { baseballTask } from "../lanes/baseball/task.ts"
import { readFootball } from "../lanes/football/files.ts"
import { footballTask } from "../lanes/football/task.ts"

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

const file =
  (data: string) =>
  (...words: ReadonlyArray<string>): string =>
    present("--data", join(data, ...words))

export const footballWins = async (data: string): Promise<ReadonlyArray<Priced>> =>
  rowsOf(
    "nfl",
    footballTask(
      await Effect.runPromise(
        readFootball({
          games: file(data)("football", "games", "nfl_games_1999_2025_merged.csv"),
          teamStats: file(data)("football", "team_stats"),
        }),
      ),
    ),
  )

export const baseballWins = async (data: string): Promise<ReadonlyArray<Priced>> =>
  rowsOf(
    "mlb",
    baseballTask(
      await Effect.runPromise(
        readBaseball({
          odds: file(data)("baseball", "odds", "mlb_sbr_odds_2010_2021_combined.csv.gz"),
          innings: file(data)("baseball", "odds", "mlb_sbr_innings_2010_2021.csv.gz"),
          retrosheet: file(data)("baseball", "retrosheet"),
          skill: file(data)("baseball", "skill"),
        }),
      ),
    ),
  )
