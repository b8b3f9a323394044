import * as Effect from "effect/Effect"
import { file, folder, optional, text, withDefault } from "../../../services/cli/parameters.ts"
import { family } from "../../../services/cli/parser.ts"
import { readBaseball } from "../lanes/baseball/files.ts"
import { baseballTask } from "../lanes/baseball/task.ts"
import { readCrypto } from "../lanes/crypto/files.ts"
import { readFootball } from "../lanes/football/files.ts"
import { footballTask } from "../lanes/football/task.ts"
import { readMarkets } from "../lanes/markets/files.ts"
import { marketsTask } from "../lanes/markets/task.ts"
import { readWeatherTask } from "../lanes/weather/files.ts"
import { comparing } from "./commands.ts"

const crypto = comparing(
  "crypto",
  "Prices 5 minutes to 24 hours ahead, on any file of candles.",
  {
    data: {
      ...file("data", "Candles of one or five minutes, CSV or gzip: ts_ms or timestamp, and close."),
      example: "candles.csv",
    },
    asset: withDefault(text("asset", "Default BTC."), "BTC"),
  },
  ({ data, asset }) => readCrypto(data, asset),
)

const weather = comparing(
  "weather",
  "Daily highs and lows of any station, on any file of forecasts with official values.",
  {
    data: {
      ...file(
        "data",
        "Forecasts with official values, CSV or gzip: station, day, at, forecast, actual; variable and source if there are several; lat, lon and utc_offset of other stations.",
      ),
      example: "forecasts.csv",
    },
  },
  ({ data }) => readWeatherTask(data),
)

const football = comparing(
  "football",
  "Margins, totals and winners of NFL games, beside the closing market.",
  {
    games: file("games", "nflverse's games file, CSV or gzip."),
    teamStats: optional(
      folder("team-stats", "A folder of nflverse's stats_team_week files; without it models learn from points alone."),
    ),
  },
  (files) => Effect.map(readFootball(files), footballTask),
)

const baseball = comparing(
  "baseball",
  "Winners of MLB games, beside the closing market.",
  {
    odds: { ...file("odds", "Games with starters and moneylines, CSV or gzip."), example: "odds.csv" },
    innings: optional(file("innings", "The same games with runs by inning; without it starters have no history.")),
    retrosheet: optional(
      folder("retrosheet", "A folder of Retrosheet game logs, GL2022.TXT: games after those with moneylines."),
    ),
    skill: optional(
      folder(
        "skill",
        "A folder with lines of teams by game, of pitchers and batters by season, and the starters of games; without it the served model is that from runs alone.",
      ),
    ),
  },
  (files) => Effect.map(readBaseball(files), baseballTask),
)

const markets = comparing(
  "markets",
  "Results of contracts, on the public export of settled rows.",
  {
    data: {
      ...file("data", "The scoreboard's settled rows: settled.csv, .ndjson or .json, or gzip."),
      example: "settled.csv",
    },
  },
  ({ data }) => Effect.map(readMarkets(data), marketsTask),
)

export const root = family(
  "market-signals-bench",
  "Compare your own model with the served one and the market, on identical rows of a file.",
  [crypto, weather, football, baseball, markets],
)
