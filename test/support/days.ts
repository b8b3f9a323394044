/** Two in the afternoon of 9 July 2026 in New York: between two football seasons, rosters being those of the next. */
export const now = Date.UTC(2026, 6, 9, 18)

type Params = Readonly<Record<string, string | number>>

/** Days and seasons that there are not at that time, and the fields that are bad. */
export const refused: ReadonlyArray<readonly [id: string, params: Params, ...fields: ReadonlyArray<string>]> = [
  ["weather_settlement", { station: "KNYC", day: "2026-07-10" }, "day"],
  ["weather_settlement", { station: "KLAX", day: "2030-01-01" }, "day"],
  ["weather_settlement", { station: "KNYC", day: "2026-02-30" }, "day"],
  ["weather_settlement_history", { station: "KNYC", start: "2026-07-01", end: "2026-07-10" }, "end"],
  ["weather_settlement_history", { station: "KNYC", start: "2026-07-10", end: "2026-07-10" }, "start", "end"],
  ["weather_settlement_history", { station: "KNYC", start: "2030-01-01", end: "2030-01-02" }, "start", "end"],
  ["weather_settlement_history", { station: "KNYC", start: "2025-06-01", end: "2026-07-08" }, "end"],
  ["weather_settlement_history", { station: "KNYC", start: "2026-07-09", end: "2026-07-08" }, "end"],
  ["weather_signal", { station: "KNYC", target: "2020-01-01" }, "target"],
  ["weather_signal", { station: "KNYC", target: "2026-07-08" }, "target"],
  ["weather_signal", { station: "KNYC", target: "2026-07-16" }, "target"],
  ["nfl_games", { season: 2026 }, "season"],
  ["nfl_games", { season: 2099, limit: 0 }, "limit", "season"],
  ["nfl_qb", { player: "Mahomes", season: 2026 }, "season"],
  ["nfl_injuries", { team: "KC", season: 2027 }, "season"],
  ["nfl_top100", { season: 2027 }, "season"],
  ["mlb_games", { date: "2026-02-29" }, "date"],
  ["mlb_games", { date: "2028-01-01" }, "date"],
  ["mlb_games", { date: "2030-01-01" }, "date"],
  ["mlb_games", { date: "1876-04-21" }, "date"],
]

/** The last ones that there are. */
export const accepted: ReadonlyArray<readonly [id: string, params: Params]> = [
  ["weather_settlement", { station: "KNYC", day: "2026-07-09" }],
  ["weather_settlement_history", { station: "KNYC", start: "2026-07-08", end: "2026-07-09" }],
  ["weather_signal", { station: "KNYC", target: "2026-07-09" }],
  ["weather_signal", { station: "KNYC", target: "2026-07-15" }],
  ["nfl_games", { season: 2025 }],
  ["nfl_qb", { player: "Mahomes", season: 2025 }],
  ["nfl_injuries", { team: "KC", season: 2026 }],
  ["nfl_top100", { season: 2026 }],
  ["mlb_games", { date: "1876-04-22" }],
  // The league makes its schedule a year ahead.
  ["mlb_games", { date: "2027-12-31" }],
]
