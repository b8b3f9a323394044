import { present } from "../../../../core/endpoint/Field.ts"
import type { FeedName, ValueOf } from "../../../../core/lanes/baseball/archive.ts"
import type { BookSide } from "../../../../core/lanes/baseball/BookGame.ts"
import type { LoggedSide } from "../../../../core/lanes/baseball/GameLog.ts"
import type { Columns, Table } from "../../../sql/upsert.ts"

/** How the values of a feed stand in their table. */
interface Kept<A> {
  readonly table: Table
  readonly columns: (value: A) => Columns
  readonly value: (row: Columns) => A
}

const key = ["game_id"]

const orNull = <A>(value: A | undefined): A | null => value ?? null
const given = <A>(value: string | number | null | undefined): A | undefined => (value ?? undefined) as A | undefined

const bookSide = (side: "home" | "away") => ({
  columns: ({ team, starter, runs, open, close }: BookSide): Columns => ({
    [`${side}_team`]: team,
    [`${side}_starter`]: orNull(starter),
    [`${side}_runs`]: orNull(runs),
    [`${side}_open`]: orNull(open),
    [`${side}_close`]: orNull(close),
  }),
  value: (row: Columns): BookSide => ({
    team: String(row[`${side}_team`]),
    ...present("starter", given<string>(row[`${side}_starter`])),
    ...present("runs", given<number>(row[`${side}_runs`])),
    ...present("open", given<number>(row[`${side}_open`])),
    ...present("close", given<number>(row[`${side}_close`])),
  }),
})

const loggedSide = (side: "home" | "away") => ({
  columns: ({ team, runs, innings, earnedAllowed, starter }: LoggedSide): Columns => ({
    [`${side}_team`]: team,
    [`${side}_runs`]: runs,
    [`${side}_innings`]: orNull(innings),
    [`${side}_earned_allowed`]: orNull(earnedAllowed),
    [`${side}_starter`]: orNull(starter),
  }),
  value: (row: Columns): LoggedSide => ({
    team: String(row[`${side}_team`]),
    runs: Number(row[`${side}_runs`]),
    ...present("innings", given<string>(row[`${side}_innings`])),
    ...present("earnedAllowed", given<number>(row[`${side}_earned_allowed`])),
    ...present("starter", given<string>(row[`${side}_starter`])),
  }),
})

const named = (row: Columns) => ({ id: String(row["game_id"]), season: Number(row["season"]) })

const [bookHome, bookAway] = [bookSide("home"), bookSide("away")]
const [loggedHome, loggedAway] = [loggedSide("home"), loggedSide("away")]

/** The table of each feed. */
export const kept: { readonly [Name in FeedName]: Kept<ValueOf<Name>> } = {
  odds: {
    // An older file must not make a game unplayed again.
    table: {
      name: "baseball_odds",
      key,
      isTakenBack: "excluded.home_runs IS NULL AND baseball_odds.home_runs IS NOT NULL",
    },
    columns: ({ id, season, day, neutral, home, away }) => ({
      game_id: id,
      season,
      day,
      neutral: neutral ? 1 : 0,
      ...bookHome.columns(home),
      ...bookAway.columns(away),
    }),
    value: (row) => ({
      ...named(row),
      day: String(row["day"]),
      neutral: row["neutral"] === 1,
      home: bookHome.value(row),
      away: bookAway.value(row),
    }),
  },
  innings: {
    table: { name: "baseball_innings", key },
    columns: ({ id, season, home, away }) => ({ game_id: id, season, home: orNull(home), away: orNull(away) }),
    value: (row) => ({
      ...named(row),
      ...present("home", given<string>(row["home"])),
      ...present("away", given<string>(row["away"])),
    }),
  },
  game_logs: {
    table: { name: "baseball_game_logs", key },
    columns: ({ id, season, day, park, home, away }) => ({
      game_id: id,
      season,
      day,
      park,
      ...loggedHome.columns(home),
      ...loggedAway.columns(away),
    }),
    value: (row) => ({
      ...named(row),
      day: String(row["day"]),
      park: String(row["park"]),
      home: loggedHome.value(row),
      away: loggedAway.value(row),
    }),
  },
}
