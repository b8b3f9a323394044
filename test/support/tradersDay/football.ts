import { join } from "node:path"
import * as Effect from "effect/Effect"
import { layerStore } from "../../../adapters/store/record/Settled.ts"
import { footballWins, halfSpread } from "../../../bench/open/backtest/pricedWins.ts"
import { months } from "../../../core/contracts/tickers.ts"
import { toLine } from "../../../core/csv/write.ts"
import { americanPrice, multiplicative } from "../../../core/math/devig.ts"
import { SettledStore } from "../../../core/record/scoreboard/SettledStore.ts"
import { count } from "../../../core/text.ts"
import { hour, iso } from "../../../core/time.ts"
import { clockAt } from "../clock.ts"
import { liveServer } from "../liveServer.ts"
import type { Route } from "../replay.ts"
import { settledRow } from "../settledRows.ts"
import { asked, type Day, ran, rowsIn, usd } from "./Day.ts"
import { kalshiOver, type Recorded } from "./venue.ts"

type Games = ReadonlyArray<Readonly<Record<string, string>>>

/** The Monday of the recorded schedule, before its game. */
const begin = Date.UTC(2025, 11, 1, 18)
const end = Date.UTC(2025, 11, 9, 18)
const season = "2025"

const textOf = (rows: Games): string => {
  const names = Object.keys(rows[0]!)
  return `${[toLine(names), ...rows.map((row) => toLine(names.map((name) => row[name])))].join("\n")}\n`
}

/** Kick-offs are in the time of New York's winter. */
const kickoffOf = (game: Games[number]): number => Date.parse(`${game["gameday"]}T${game["gametime"]}:00-05:00`)

/** Games that a book had priced, as a venue lists the home win: the book's price without its margin, a cent less and a cent more. */
const contractsOf = (before: Games, after: ReadonlyMap<string, Games[number]>): ReadonlyArray<Recorded> =>
  before.flatMap((game) => {
    const [home, away] = [Number(game["home_moneyline"]), Number(game["away_moneyline"])]
    if (game["season"] !== season || game["home_score"] !== "" || home === 0 || away === 0) return []
    const final = after.get(game["game_id"]!)!
    const cents = Math.round(100 * multiplicative([americanPrice(home), americanPrice(away)])[0]!)
    const [year, month, on] = game["gameday"]!.split("-") as [string, string, string]
    const event = `KXNFLGAME-${year.slice(2)}${months[Number(month) - 1]}${on}${game["away_team"]}${game["home_team"]}`
    const [yesBid, yesAsk] = [cents - halfSpread / 100, cents + halfSpread / 100]
    return [
      {
        ...{ series: "KXNFLGAME", event, ticker: `${event}-${game["home_team"]}` },
        ...{ title: `${game["away_team"]} at ${game["home_team"]}`, rules: "If the home team wins, then yes." },
        ...{ closeTime: kickoffOf(game) + 4 * hour, settledAt: kickoffOf(game) + 6 * hour },
        result: Number(final["home_score"]) > Number(final["away_score"]) ? "yes" : "no",
        quote: () => ({ yesBid, yesAsk }),
      },
    ]
  })

/** nflverse as of the snapshot, and later as of the finals. */
const nflverse = (root: string, before: Games, after: Games, now: () => number): ReadonlyArray<Route> => {
  const text = (body: string) => ({ headers: { "content-type": "text/csv" }, body })
  const scored = new Set(before.filter((game) => game["home_score"] !== "").map((game) => game["game_id"]))
  const finals = new Map(after.map((game) => [game["game_id"], game]))
  const schedule = (at: number) =>
    before.map((game) => {
      if (game["home_score"] !== "" || kickoffOf(game) + 5 * hour > at) return game
      const { home_score = "", away_score = "", result = "", total = "" } = finals.get(game["game_id"])!
      return { ...game, home_score, away_score, result, total }
    })
  return [
    { path: "/schedules/games.csv", reply: () => text(textOf(schedule(now()))) },
    {
      path: /^\/stats_team\/stats_team_week_(\d+)\.csv$/,
      reply: ({ path }) => {
        const year = /_(\d+)\.csv$/.exec(path)![1]!
        const weeks = rowsIn(join(root, `football/team_stats/stats_team_week_${year}.csv`))
        const played = weeks.filter(
          ({ week, team, opponent_team }) =>
            year !== season ||
            [`${team}_${opponent_team}`, `${opponent_team}_${team}`].some((sides) =>
              scored.has(`${year}_${String(week).padStart(2, "0")}_${sides}`),
            ),
        )
        return text(textOf(played))
      },
    },
  ]
}

export const footballDay = async (root: string): Promise<Day> => {
  const clock = clockAt(begin, 10)
  const now = () => clock.unsafeCurrentTimeMillis()
  const before = rowsIn(join(root, "football/games/nfldata_games_snapshot_2025-12-01.csv.gz"))
  const after = rowsIn(join(root, "football/games/nfl_games_1999_2025_merged.csv"))
  const contracts = contractsOf(before, new Map(after.map((game) => [game["game_id"]!, game])))
  const live = await liveServer(
    { football: "live", markets: "live" },
    { nflverse: nflverse(root, before, after, now), kalshi: kalshiOver(contracts, now) },
    clock,
  )
  try {
    // What a service that had run all these years would have on its record.
    const record = (await footballWins(root)).filter(({ settledAt }) => settledAt < Date.UTC(2025, 11, 1))
    const rows = record.map(({ id, ...row }) =>
      settledRow({ ...row, ticker: id, event: id, captureId: id, poolWeight: 0, sourceResult: row.result }),
    )
    await live.server.run(
      Effect.provide(
        Effect.flatMap(SettledStore, ({ append }) => append(rows)),
        layerStore,
      ),
    )
    // Players, reports and rosters of 2025 are not recorded.
    const lacking = ["football-ingest"]
    await ran(live, ["football-ingest", "markets-settle", "markets-quotes", "markets-capture"], lacking)
    const found = await asked(live, "nfl", async () => {
      clock.set(end)
      await ran(live, ["football-ingest", "football-score", "markets-settle"], lacking)
    })
    const { trades, wins, pnl_after_fees, pool } = found.hypothetical
    return {
      heading: "Football: the games of 1 to 8 December 2025",
      told: `Recorded: nflverse's schedule as it was on 1 December 2025, with a book's moneylines of games to come, and later the results. No quotes of a venue are recorded: the book's price without its margin, a cent less and a cent more, stands for bid and ask, and Kalshi's general fee is added. The record before that day is the served model's over the games since ${iso(record[0]!.capturedAt).slice(0, 4)}, walking forward, at closing prices. Asked on Monday, 18:00 UTC.`,
      rows: found.rows,
      ended: [
        `${found.call} ${found.weight}`,
        `The scoreboard's trades of 1 USD each, this week's included: ${count(trades)} by the model's rule, ${count(wins)} of them won, ${usd(pnl_after_fees)} in all; ${count(pool.trades)} by the pool's rule.`,
      ],
    }
  } finally {
    await live.stop()
  }
}
