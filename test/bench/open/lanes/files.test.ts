import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll } from "vitest"
import type { BenchError } from "../../../../bench/open/compare/BenchError.ts"
import { readBaseball } from "../../../../bench/open/lanes/baseball/files.ts"
import { readFootball } from "../../../../bench/open/lanes/football/files.ts"
import { csvOf, oddsHead, oddsRows } from "../../../support/baseballFiles.ts"

const folder = mkdtempSync(join(tmpdir(), "bench-files-"))
afterAll(() => rmSync(folder, { recursive: true }))

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/football/${name}`, import.meta.url), "utf8")
const games = fixture("games.csv")
const weeks = fixture("team_week_2024.csv")

/** A file in a folder of its own. */
const file = (name: string, bytes: string | Uint8Array): string => {
  const path = join(mkdtempSync(join(folder, "file-")), name)
  writeFileSync(path, bytes)
  return path
}

/** A folder of files. */
const folderOf = (files: Readonly<Record<string, string | Uint8Array>>): string => {
  const path = mkdtempSync(join(folder, "folder-"))
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(path, name), bytes)
  return path
}

/** A table with one cell changed; the header line is line 1. */
const changed = (text: string, line: number, column: string, to: string): string => {
  const lines = text.split("\n")
  const at = lines[0]!.trim().split(",").indexOf(column)
  assert.isAtLeast(at, 0, column)
  return lines
    .map((cells, number) =>
      number === line - 1
        ? cells
            .split(",")
            .map((cell, k) => (k === at ? to : cell))
            .join(",")
        : cells,
    )
    .join("\n")
}

const readRefusal = <A>(read: Effect.Effect<A, BenchError>): Effect.Effect<string> =>
  Effect.match(read, { onSuccess: () => "It was taken.", onFailure: ({ message }) => message })

describe("football's files", () => {
  it.effect("are finished games with their lines, the same plain and packed", () =>
    Effect.gen(function* () {
      const plain = yield* readFootball({
        games: file("games.csv", games),
        teamStats: folderOf({ "stats_team_week_2024.csv": weeks, "notes.txt": "" }),
      })
      assert.isNotEmpty(plain.games)
      assert.isTrue(plain.games.every(({ score }) => score !== undefined))
      assert.isAbove(plain.weeks.size, 0)
      assert.deepStrictEqual(
        plain.inputs.map(({ name, rows }) => [name, rows]),
        [
          ["games.csv", games.trim().split("\n").length - 1],
          ["stats_team_week_2024.csv", weeks.trim().split("\n").length - 1],
        ],
      )
      const packed = yield* readFootball({
        games: file("games.csv.gz", gzipSync(games)),
        teamStats: folderOf({ "stats_team_week_2024.csv.gz": gzipSync(weeks) }),
      })
      assert.deepStrictEqual([packed.games, packed.lines, packed.weeks], [plain.games, plain.lines, plain.weeks])
      for (const { sha256 } of [...plain.inputs, ...packed.inputs]) assert.match(sha256, /^[0-9a-f]{64}$/)
      assert.strictEqual((yield* readFootball({ games: file("games.csv", games) })).weeks.size, 0)
    }),
  )

  const lines = games.trim().split("\n")
  const refused: ReadonlyArray<readonly [what: string, games: string, message: RegExp]> = [
    ["an empty file", "", /^games\.csv: The file is empty/],
    ["a missing column", games.replace("home_qb_id", "x"), /^games\.csv: line 1, home_qb_id, Missing column\.$/],
    ["a day that is none", changed(games, 3, "gameday", "2024-02-30"), /^games\.csv: line 3, gameday, /],
    ["a score in words", changed(games, 3, "home_score", "ppd"), /^games\.csv: line 3, home_score, /],
    ["a score below 0", changed(games, 3, "away_score", "-3"), /^games\.csv: line 3, away_score, /],
    ["a team that is none", changed(games, 3, "home_team", "XXX"), /^games\.csv: line 3, /],
    ["a line in words", changed(games, 3, "spread_line", "even"), /^games\.csv: line 3, spread_line, /],
    ["odds that are none", changed(games, 3, "home_moneyline", "50"), /^games\.csv: line 3, home_moneyline, /],
    ["a game twice", `${games.trim()}\n${lines[1]}\n`, /^games\.csv: line \d+, Duplicate of line 2: /],
    ["a row too short", `${lines.slice(0, 2).join("\n")}\nx,y\n`, /^games\.csv: line 3, Invalid Record Length/],
    ["a file that breaks off", games.trim(), /^games\.csv: The file is cut off/],
    ["no finished game", `${lines[0]}\n`, /^games\.csv: No game has a score\.$/],
  ]
  it.effect.each(refused)("are refused by file, line and column: %s", ([, text, message]) =>
    Effect.gen(function* () {
      assert.match(yield* readRefusal(readFootball({ games: file("games.csv", text) })), message)
    }),
  )

  const path = file("games.csv", games)
  const folders: ReadonlyArray<readonly [what: string, teamStats: string, message: RegExp]> = [
    ["a folder that is not there", join(folder, "nowhere"), /nowhere cannot be read: ENOENT/],
    ["a file instead of a folder", path, /games\.csv cannot be read: ENOTDIR/],
    ["a folder without statistics", folderOf({}), /has no team statistics \(stats_team_week_2025\.csv, /],
    [
      "a value in words",
      folderOf({ "stats_team_week_2024.csv": changed(weeks, 2, "passing_epa", "much") }),
      /^stats_team_week_2024\.csv: line 2, passing_epa, "much" is not a number\.$/,
    ],
    [
      "a row in two files",
      folderOf({ "stats_team_week_2024.csv": weeks, "stats_team_week_2024.csv.gz": gzipSync(weeks) }),
      /^stats_team_week_2024\.csv\.gz: Row 2024\/\d+\/[A-Z]+ is also in stats_team_week_2024\.csv\.$/,
    ],
  ]
  it.effect.each(folders)("are refused with %s", ([, teamStats, message]) =>
    Effect.gen(function* () {
      assert.match(yield* readRefusal(readFootball({ games: path, teamStats })), message)
    }),
  )

  it.effect("are refused where there is none", () =>
    Effect.gen(function* () {
      assert.match(yield* readRefusal(readFootball({ games: join(folder, "none.csv") })), /^none\.csv: .*ENOENT/)
      mkdirSync(join(folder, "folder.csv"))
      assert.match(yield* readRefusal(readFootball({ games: join(folder, "folder.csv") })), /^folder\.csv: .*EISDIR/)
    }),
  )
})

describe("baseball's files", () => {
  const rows = oddsRows(1).slice(0, 6)
  const text = csvOf(oddsHead, rows)

  it.effect("are refused by file, line and column, or without a game that has a score", () =>
    Effect.gen(function* () {
      const refusal = (odds: string) => readRefusal(readBaseball({ odds: file("odds.csv", odds) }))
      assert.match(yield* refusal(changed(text, 3, "home_ml_close", "even")), /^odds\.csv: line 3, home_ml_close, /)
      const unplayed = rows.map((cells) => cells.map((cell, at) => (at === 11 || at === 12 ? "" : cell)))
      assert.strictEqual(yield* refusal(csvOf(oddsHead, unplayed)), "No game of the archive of moneylines has a score.")
      assert.strictEqual(yield* refusal(text), "It was taken.")
    }),
  )
})
