import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { BenchError } from "../../../core/bench/BenchError.ts"
import { type Archived, baseballData, feeds } from "../../../core/lanes/baseball/bench/data.ts"
import { baseballTask } from "../../../core/lanes/baseball/bench/task.ts"
import { filesIn, readInput } from "../../runtime/bench/files.ts"
import { command } from "../LaneCommand.ts"

export interface BaseballFiles {
  /** Games with starters and moneylines. */
  readonly odds: string
  /** The same games with runs by inning; without it starters have no history. */
  readonly innings?: string | undefined
  /** A folder of Retrosheet game logs, `GL*.TXT`, plain or gzip. */
  readonly retrosheet?: string | undefined
}

const form = /^GL\d{4}\.TXT(\.gz)?$/i

/** Reads games with their prices from archives. */
export const readBaseball = Effect.fnUntraced(function* ({ odds, innings, retrosheet }: BaseballFiles) {
  const games = yield* readInput(feeds.odds, odds)
  const byInning = innings === undefined ? [] : [yield* readInput(feeds.innings, innings)]
  const paths =
    retrosheet === undefined ? [] : yield* filesIn(retrosheet, form, "game logs (GL2021.TXT, plain or gzip)")
  const logs = yield* Effect.forEach(paths, (path) => readInput(feeds.game_logs, path))
  const archived: Archived = {
    odds: games.values,
    innings: byInning.flatMap(({ values }) => values),
    logs: logs.flatMap(({ values }) => values),
    inputs: [games, ...byInning, ...logs].map(({ input }) => input),
  }
  return yield* Either.mapLeft(baseballData(archived), (message) => new BenchError({ message }))
})

/** Winners of games. */
export const bench = command({
  description: "Winners of MLB games, beside the closing market.",
  arguments: {
    odds: { form: "file", description: "Games with starters and moneylines, CSV or gzip." },
    innings: {
      form: "file",
      count: "optional",
      description: "The same games with runs by inning; without it starters have no history.",
    },
    retrosheet: {
      form: "folder",
      count: "optional",
      description: "A folder of Retrosheet game logs, GL2022.TXT: games after those with moneylines.",
    },
  },
  run: (files) => Effect.map(readBaseball(files), baseballTask),
})
