import { join } from "node:path"
import * as Effect from "effect/Effect"
import { present } from "./inputs.ts"
import { readBaseball } from "./lanes/baseball/files.ts"
import { readFootball } from "./lanes/football/files.ts"
import { readWeather } from "./lanes/weather/files.ts"

/** The recorded data of lanes, read from their places in a folder. */
export const recordedIn = (data: string) => {
  const file = (...words: ReadonlyArray<string>): string => present("--data", join(data, ...words))
  return {
    file,
    football: () =>
      Effect.runPromise(
        readFootball({
          games: file("football", "games", "nfl_games_1999_2025_merged.csv"),
          teamStats: file("football", "team_stats"),
        }),
      ),
    baseball: () =>
      Effect.runPromise(
        readBaseball({
          odds: file("baseball", "odds", "mlb_sbr_odds_2010_2021_combined.csv.gz"),
          innings: file("baseball", "odds", "mlb_sbr_innings_2010_2021.csv.gz"),
          retrosheet: file("baseball", "retrosheet"),
          skill: file("baseball", "skill"),
        }),
      ),
    weather: () => Effect.runPromise(readWeather(file("weather", "day1_forecast_vs_actual_highs.csv.gz"))),
  }
}
