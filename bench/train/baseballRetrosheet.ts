import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Played, PlayedSide } from "../../core/lanes/baseball/walk.ts"
import { earlyLine, starterKey } from "./baseballStarters.ts"
import { type CsvFile, readCsv } from "./csvFile.ts"

type Row = ReadonlyArray<string>

/** Columns of a game log, from 0; there are 161, and no line names them (retrosheet.org/gamelogs/glfields.txt). */
const column = {
  date: 0,
  number: 1,
  away: { team: 3, runs: 9, innings: 19, earnedAllowed: 40, starter: 102 },
  home: { team: 6, runs: 10, innings: 20, earnedAllowed: 68, starter: 104 },
  park: 16,
} as const

/** Team codes of the logs that differ from those of the odds. */
const codes: Readonly<Record<string, string>> = {
  ANA: "LAA",
  CHA: "CWS",
  CHN: "CHC",
  KCA: "KAN",
  LAN: "LAD",
  NYA: "NYY",
  NYN: "NYM",
  SDN: "SDG",
  SFN: "SFG",
  SLN: "STL",
  TBA: "TAM",
}

/** Runs by inning of a line such as `0102(10)000x`. */
export const inningsOf = (line: string): ReadonlyArray<string> =>
  (line.match(/\(\d+\)|./g) ?? []).map((inning) => inning.replace(/[()]/g, ""))

/** So many games in a season make a park a home, also one that a team has moved to for a while. */
const homely = 10

const homes = (rows: ReadonlyArray<Row>): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const key = `${row[column.home.team]}/${row[column.park]}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count >= homely).map(([key]) => key))
}

const gamesOf = ({ name, rows }: CsvFile<Row>): ReadonlyArray<Played> => {
  const known = homes(rows)
  return rows.map((row, at) => {
    if (row.length !== 161) throw new Error(`${name}, line ${at + 1}: ${row.length} columns where there are 161.`)
    const side = (own: "home" | "away", other: "home" | "away"): PlayedSide => ({
      team: codes[row[column[own].team]!] ?? row[column[own].team]!,
      runs: Number(row[column[own].runs]),
      starter: starterKey(row[column[own].starter]!),
      pitched: earlyLine(inningsOf(row[column[other].innings]!)),
    })
    const date = row[column.date]!
    return {
      id: `${date}/${row[column.home.team]}/${row[column.number]}`,
      season: Number(date.slice(0, 4)),
      day: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`,
      home: side("home", "away"),
      away: side("away", "home"),
      neutral: !known.has(`${row[column.home.team]}/${row[column.park]}`),
    }
  })
}

/**
 * Reads a folder of game logs.
 *
 * @throws Error naming the file and the line that is no game log
 */
export const readRetrosheet = (folder: string) => {
  const files = readdirSync(folder)
    .filter((name) => /^GL\d{4}\.TXT(\.gz)?$/i.test(name))
    .sort()
    .map((name) => readCsv<Row>(join(folder, name), { columns: false }))
  if (files.length === 0) throw new Error(`${folder} holds no game logs (GL2021.TXT, plain or gzip).`)
  return {
    files,
    games: files.flatMap(gamesOf),
    /** Earned runs among all runs allowed, over the seasons up to one. */
    earnedShare: (to: number): number | undefined => {
      let earned = 0
      let all = 0
      for (const row of files.flatMap(({ rows }) => rows)) {
        if (Number(row[column.date]!.slice(0, 4)) > to) continue
        earned += Number(row[column.home.earnedAllowed]) + Number(row[column.away.earnedAllowed])
        all += Number(row[column.home.runs]) + Number(row[column.away.runs])
      }
      return all === 0 ? undefined : earned / all
    },
  }
}
