import type { Call, DamagedLane } from "./damagedWorld.ts"
import type { Row } from "./payloadRows.ts"
import { begin, changed, hour, rows, season, today, world } from "./worldSources.ts"
import { worldUpstreams } from "./worldUpstreams.ts"

/** A game of that evening. */
const gameOf = (): number => {
  const route = worldUpstreams(() => begin, season)["mlb"]!.find(({ path }) => path === "/api/v1/schedule")!
  const query = new URLSearchParams({ startDate: today, endDate: today })
  const { body } = (route.reply as (request: unknown) => { readonly body: string })({ query })
  const { dates } = JSON.parse(body)
  return dates[0].games.find(
    ({ gameDate, teams }: { gameDate: string; teams: { home: Row; away: Row } }) =>
      Date.parse(gameDate) > begin + 6 * hour && "probablePitcher" in teams.home && "probablePitcher" in teams.away,
  ).gamePk
}

export const damagedBaseball = (): DamagedLane => {
  const { source } = world()
  const gamePk = gameOf()
  const games = rows((value) => value.dates.at(-1).games, {
    // First pitches of a day that are exchanged are a schedule too.
    ...{ needed: "gameDate", figures: [] },
    move: (row, hours) => {
      row["gameDate"] = new Date(Date.parse(String(row["gameDate"])) + hours * hour).toISOString().replace(".000Z", "Z")
    },
  })
  // The time of a single game may be any.
  const { move: _, ...oneGame } = games
  const teams = rows((value) => value.records[0].teamRecords, {
    ...{ needed: "runsScored", figures: ["runsScored", "runsAllowed"] },
    seasonOf: (row) => Number(row["season"]),
  })
  const calls: ReadonlyArray<Call> = [
    { path: `/v1/mlb/games?date=${today}`, isNone: ({ count }) => count === 0 },
    { path: `/v1/mlb/fair-odds?game_pk=${gamePk}` },
  ]
  return {
    name: "baseball",
    settings: { baseball: "live" },
    sources: [
      source("mlb", "/api/v1/schedule", {
        ...{ title: "schedule of days", feeds: ["mlb_schedule"], jobs: [], shape: games },
        query: (query) => query.has("startDate"),
        others: {
          day: changed((value) => {
            for (const each of value.dates) each.date = each.date.replace("2026-", "2025-")
          }),
        },
      }),
      source("mlb", "/api/v1/schedule", {
        ...{ title: "schedule of a game", feeds: ["mlb_games"], jobs: [], shape: oneGame },
        query: (query) => query.has("gamePks"),
        others: { game: (text) => text.replace(/"gamePk":\d+/g, '"gamePk":1') },
      }),
      source("mlb", "/api/v1/standings", {
        ...{ title: "standings", feeds: ["mlb_standings"], jobs: [], shape: teams },
        query: (query) => query.has("date"),
        others: { season: (text) => text.replace(/"season":"\d+"/g, '"season":"2019"') },
      }),
      source("mlb", "/api/v1/standings", {
        ...{ title: "last season's standings", feeds: ["mlb_last_standings"], jobs: [], shape: teams },
        query: (query) => !query.has("date"),
        others: { season: (text) => text.replace(/"season":"\d+"/g, '"season":"2019"') },
      }),
      source("mlb", "/api/v1/people/1/stats", {
        ...{ title: "pitchers", feeds: ["mlb_pitchers"], jobs: [] },
        shape: rows((value) => value.stats[0].splits, { needed: "stat", figures: [] }),
        others: {
          player: (text) => text.replace(/"player":\{"id":\d+/g, '"player":{"id":1'),
          season: (text) => text.replace(/"date":"\d{4}/g, '"date":"2019'),
        },
      }),
    ],
    jobs: [],
    calls,
    // Nothing is stored.
    onsets: ["first"],
    ...{ begin, period: hour, times: 4 },
  }
}
