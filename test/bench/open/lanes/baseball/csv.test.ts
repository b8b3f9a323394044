import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { readCsv } from "../../../../../adapters/runtime/upstream/csv.ts"
import { type FeedName, feeds } from "../../../../../bench/open/lanes/baseball/data.ts"
import type { FileFormat } from "../../../../../core/csv/FileFormat.ts"
import {
  csvOf,
  inningsHead,
  logLine,
  logOf,
  oddsHead,
  oddsRows,
  withInnings,
} from "../../../../support/baseballFiles.ts"

async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = (feed: FeedName, text: string | Uint8Array, size = 1_000) =>
  readCsv(
    feeds[feed] as FileFormat<string, unknown>,
    chunks(typeof text === "string" ? new TextEncoder().encode(text) : text, size),
  )

const rows = oddsRows(1).slice(0, 4)
const oddsText = csvOf(oddsHead, rows)
const inningsText = csvOf(inningsHead, withInnings(rows))
const logText = logOf([logLine(), logLine({ 1: "20220402" })])

/** The file with one column of its second game changed. */
const changed = (head: string, lines: ReadonlyArray<ReadonlyArray<string>>, column: string, to: string): string =>
  csvOf(
    head,
    lines.map((cells, at) => (at === 1 ? cells.map((cell, k) => (head.split(",")[k] === column ? to : cell)) : cells)),
  )
const odds = (column: string, to: string) => changed(oddsHead, rows, column, to)
const innings = (column: string, to: string) => changed(inningsHead, withInnings(rows), column, to)
const log = (field: number, to: string) => logOf([logLine(), logLine({ 1: "20220402", [field]: to })])

/** Nine batters of the home team, the first of them twice. */
const twice = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [133 + 3 * at, `b${at % 8}`]))

describe("baseball's files", () => {
  it.effect.each([
    ["odds", oddsText],
    ["innings", inningsText],
    ["game_logs", logText],
  ] as const)("are read the same however they are packed and cut: %s", ([feed, text]) =>
    Effect.gen(function* () {
      const plain = Either.getOrThrow(yield* read(feed, text))
      assert.isNotEmpty(plain.values)
      for (const size of [1, 7, 100_000]) {
        assert.deepStrictEqual(Either.getOrThrow(yield* read(feed, text, size)), plain)
        const packed = Either.getOrThrow(yield* read(feed, gzipSync(text), size))
        assert.deepStrictEqual([packed.values, packed.seasons], [plain.values, plain.seasons])
      }
    }),
  )

  it.effect("have the file's values, and none for empty cells", () =>
    Effect.gen(function* () {
      const [first] = Either.getOrThrow(yield* read("odds", oddsText)).values
      const { id, season, day, neutral, home, away } = first as Record<string, unknown>
      assert.deepStrictEqual([id, season, day, neutral], ["2010-04-01/900/901", 2010, "2010-04-01", false])
      const [, , , , , team, other] = rows[0]!
      const price = [Number(rows[0]![13]), Number(rows[0]![14])]
      const runs = [Number(rows[0]![11]), Number(rows[0]![12])]
      assert.deepStrictEqual(
        [away, home],
        [
          { team, starter: `${team}ACE-R`, runs: runs[0], open: price[0], close: price[0] },
          { team: other, starter: `${other}ACE-L`, runs: runs[1], open: price[1], close: price[1] },
        ],
      )
      // No score, no starter, no line, and a line by halves, all of which occur in the archives.
      const bare = rows[0]!.map((cell, at) => (at < 9 ? cell : at < 13 ? "" : at < 15 ? "NL" : "-219.5"))
      const [empty] = Either.getOrThrow(yield* read("odds", csvOf(oddsHead, [bare]))).values
      assert.deepStrictEqual(empty, {
        ...(first as object),
        away: { team, close: -219.5 },
        home: { team: other, close: -219.5 },
      })
      const [logged] = Either.getOrThrow(yield* read("game_logs", logText)).values
      assert.deepStrictEqual(logged, {
        id: "20220401/CHN/0",
        season: 2022,
        day: "2022-04-01",
        park: "CHI11",
        home: { team: "CHN", runs: 4, innings: "11000200x", earnedAllowed: 11, starter: "Jon Lester" },
        away: { team: "NYA", runs: 12, innings: "0(10)2000000", earnedAllowed: 3, starter: "Gerrit Cole" },
      })
      const [old] = Either.getOrThrow(
        yield* read("game_logs", logOf([logLine({ 20: "", 21: "", 41: "", 69: "", 103: "(none)", 105: "" })])),
      ).values
      assert.deepInclude(old as object, { home: { team: "CHN", runs: 4 }, away: { team: "NYA", runs: 12 } })
      // Negative runs occur in the archives and are stored unchanged.
      const [odd] = Either.getOrThrow(
        yield* read("innings", changed(inningsHead, withInnings(rows.slice(0, 2)), "inn_a", "0|-1|x")),
      ).values.slice(1)
      assert.deepInclude(odd as object, { away: "0|-1|x" })
    }),
  )

  const refused: ReadonlyArray<
    readonly [what: string, feed: FeedName, text: string, field: string | undefined, line: number | undefined]
  > = [
    ["an empty file", "odds", "", undefined, undefined],
    ["an empty log", "game_logs", "", undefined, undefined],
    ["a log of blank lines", "game_logs", "\r\n\r\n", undefined, undefined],
    ["a file that breaks off", "odds", oddsText.slice(0, -5), undefined, undefined],
    ["a log that breaks off", "game_logs", logText.slice(0, -2), undefined, undefined],
    ["a column that is missing", "odds", oddsText.replace("home_ml_close", "closing"), "home_ml_close", 1],
    ["runs by inning without their column", "innings", oddsText, "inn_a", 1],
    ["a row too short", "odds", oddsText.replace(`,${rows[1]![16]}\n`, "\n"), undefined, 2],
    ["a page of the web", "game_logs", "<html>\n<body>busy</body>\n</html>\n", undefined, 1],
    ["160 fields", "game_logs", logOf([logLine(), logLine({}, 160)]), undefined, 2],
    ["a file of the other kind", "game_logs", oddsText, undefined, 1],
    ["a game twice", "odds", csvOf(oddsHead, [...rows, rows[0]!]), undefined, 6],
    ["a log's game twice", "game_logs", logOf([logLine(), logLine()]), undefined, 2],
    ["a day that is none", "odds", odds("date", "2010-02-30"), "date", 3],
    ["a day in another form", "odds", odds("date", "04/01/2010"), "date", 3],
    ["a season that is not the day's", "odds", odds("season", "2011"), "season", 3],
    ["a rotation number that is none", "odds", odds("rot_away", "x"), "rot_away", 3],
    ["a rotation number of 0", "odds", odds("rot_home", "0"), "rot_home", 3],
    ["half a neutral ground", "odds", odds("neutral", "0.5"), "neutral", 3],
    ["no team", "odds", odds("home", ""), "home", 3],
    ["a team in words", "odds", odds("away", "Dodgers"), "away", 3],
    ["a team against itself", "odds", odds("away", rows[1]![6]!), "away", 3],
    ["LOS for another team than the Dodgers", "odds", odds("home_raw", "LOS"), "home", 3],
    ["one score of two", "odds", odds("away_score", ""), "away_score", 3],
    ["a score below zero", "odds", odds("home_score", "-1"), "home_score", 3],
    ["a score that is none", "odds", odds("home_score", "ppd"), "home_score", 3],
    ["odds in words", "odds", odds("home_ml_open", "even"), "home_ml_open", 3],
    ["odds without end", "odds", odds("away_ml_close", "Infinity"), "away_ml_close", 3],
    ["innings with a letter", "innings", innings("inn_h", "0|1|y"), "inn_h", 3],
    ["innings with a gap", "innings", innings("inn_a", "0||1"), "inn_a", 3],
    ["a log's day that is none", "game_logs", log(1, "20220400"), "date", 2],
    ["a log's day with dashes", "game_logs", log(1, "2022-04-02"), "date", 2],
    ["a game with the number 4", "game_logs", log(2, "4"), "number", 2],
    ["a log without a team", "game_logs", log(4, ""), "away_team", 2],
    ["a log's team against itself", "game_logs", log(4, "CHN"), "away_team", 2],
    ["a log without a score", "game_logs", log(10, ""), "away_score", 2],
    ["a log's score that is none", "game_logs", log(11, "4.5"), "home_score", 2],
    ["no park", "game_logs", log(17, ""), "park", 2],
    ["a line score that is none", "game_logs", log(20, "01?"), "away_line", 2],
    ["a line score that is not the score", "game_logs", log(21, "11000100x"), "home_line", 2],
    ["a line-up of eight", "game_logs", log(106, "aaaaa001"), "away_batter_1", 2],
    [
      ...(["a line-up with a player twice", "game_logs"] as const),
      logOf([logLine(), logLine({ 1: "20220402", ...twice })]),
      ...(["home_batter_1", 2] as const),
    ],
    ["earned runs below zero", "game_logs", log(41, "-1"), "away_earned_runs", 2],
  ]
  it.effect.each(refused)("are refused whole, by line and column: %s", ([, feed, text, field, line]) =>
    Effect.gen(function* () {
      const found = yield* read(feed, text)
      if (Either.isRight(found)) return assert.fail("The file was taken.")
      assert.deepStrictEqual([found.left.field, found.left.line], [field, line], found.left.reason)
      assert.isNotEmpty(found.left.reason)
    }),
  )
})
