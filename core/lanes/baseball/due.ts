import type { Due } from "../../feeds/Due.ts"

export const mlbFeeds = {
  schedule: {
    name: "mlb_schedule",
    title: "MLB schedule",
    due: "With each call, for the days that are asked for.",
    absence: "Games are refused once the last good schedule is 15 minutes old.",
  },
  game: {
    name: "mlb_games",
    title: "MLB listings of single games",
    due: "With each call on a game.",
    absence: "Fair odds are refused once the last good listing is 15 minutes old.",
  },
  standings: {
    name: "mlb_standings",
    title: "MLB runs of teams",
    due: "With each call on a game, for all teams, up to the day before it.",
    absence: "Fair odds are flagged and not recorded, and refused once the last good standings are 6 hours old.",
  },
  lastStandings: {
    name: "mlb_last_standings",
    title: "MLB runs of teams in the last season",
    due: "With the first call of a day on a game.",
    absence: "Fair odds are flagged and not recorded, and refused once the last good standings are 30 days old.",
  },
  pitchers: {
    name: "mlb_pitchers",
    title: "MLB lines of pitchers",
    due: "With each call on a game with a starter.",
    absence: "Fair odds are flagged and not recorded, and refused once the last good line is 6 hours old.",
  },
  lineUps: {
    name: "mlb_line_ups",
    title: "MLB line-ups",
    due: "With each call on a game from 8 hours before its first pitch.",
    absence: "Fair odds do without line-ups, flagged and not recorded, once the last good ones are 15 minutes old.",
  },
  batters: {
    name: "mlb_batters",
    title: "MLB seasons of batters",
    due: "With the first call of a day on a game with line-ups.",
    absence: "Fair odds do without line-ups, flagged and not recorded, once the last good seasons are 30 days old.",
  },
  boxScores: {
    name: "mlb_box_scores",
    title: "MLB pitching of finished games",
    due: "Every hour, for the games that are over.",
    absence: "If most games of a season are missing, fair odds use runs alone, flagged and not recorded.",
  },
} as const satisfies Readonly<Record<string, Due>>
