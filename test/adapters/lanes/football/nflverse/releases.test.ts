import { createReadStream, readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { readCsv } from "../../../../../adapters/lanes/football/nflverse/releases.ts"
import type { FormatName } from "../../../../../core/lanes/football/data/formats.ts"
import { fixture, samples } from "../../../../support/footballStore.ts"

async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = <Name extends FormatName>(feed: Name, text: string | Uint8Array, size = 1_000) =>
  readCsv(feed, chunks(typeof text === "string" ? new TextEncoder().encode(text) : text, size))

const textOf = (name: string): string => readFileSync(fixture(name), "utf8")

/** The file with one value of one row, or the name of a column, replaced. */
const changed = (name: string, line: number, from: string, to: string): string =>
  textOf(name)
    .split("\n")
    .map((row, at) => (at === line - 1 ? row.replace(from, to) : row))
    .join("\n")

const refusal = (feed: FormatName, text: string) =>
  Effect.map(read(feed, text), (result) => {
    if (Either.isRight(result)) return assert.fail("The file was taken.")
    const { field, line } = result.left
    return [field, line]
  })

describe("reading a file", () => {
  for (const [feed, file] of samples) {
    it.effect(`gives the same however it is packed and cut: ${feed}`, () =>
      Effect.gen(function* () {
        const bytes = readFileSync(file)
        const plain = Either.getOrThrow(yield* readCsv(feed, createReadStream(file)))
        assert.isNotEmpty(plain.values)
        for (const size of [1, 7, 100_000]) {
          const cut = Either.getOrThrow(yield* read(feed, bytes, size))
          assert.deepStrictEqual(cut, plain)
          const packed = Either.getOrThrow(yield* read(feed, gzipSync(bytes), size))
          assert.deepStrictEqual([packed.values, packed.seasons], [plain.values, plain.seasons])
          assert.notStrictEqual(packed.sha256, plain.sha256)
        }
        const marked = Either.getOrThrow(yield* read(feed, `\uFEFF${textOf(file.split("/").at(-1)!)}`))
        assert.deepStrictEqual(marked.values, plain.values)
      }),
    )
  }

  it.effect("rejects a file with U+0000, which not every store takes", () =>
    Effect.gen(function* () {
      const text = textOf("player_weeks_old_2015.csv").replace("Otto Raider", "Otto\u0000Raider")
      const refused = Either.getOrThrow(Either.flip(yield* read("quarterbacks", text)))
      assert.strictEqual(refused.reason, "The file has a NUL character.")
    }),
  )

  it.effect("takes the names of columns before and after they were changed", () =>
    Effect.gen(function* () {
      const old = Either.getOrThrow(yield* read("quarterbacks", textOf("player_weeks_old_2015.csv")))
      assert.deepStrictEqual(old.values, [
        {
          playerId: "00-9000011",
          player: "Otto Raider",
          position: "QB",
          season: 2015,
          week: 3,
          code: "OAK",
          opponentCode: "CLE",
          completions: 20,
          attempts: 32,
          passingYards: 314,
          passingTds: 2,
          interceptions: 0,
          sacksSuffered: 1,
          passingEpa: 9.75,
          rushingYards: 0,
          rushingTds: 0,
        },
        {
          playerId: "00-9000012",
          player: "Cliff Brown",
          position: "QB",
          season: 2015,
          week: 3,
          code: "CLE",
          opponentCode: "OAK",
          completions: 17,
          attempts: 30,
          passingYards: 181,
          passingTds: 1,
          interceptions: 2,
          sacksSuffered: 3,
          rushingYards: 12,
          rushingTds: 1,
        },
      ])
      const renamed = textOf("player_weeks_old_2015.csv")
        .replace("interceptions,sacks,", "passing_interceptions,sacks_suffered,")
        .replace("recent_team", "team")
      assert.deepStrictEqual(Either.getOrThrow(yield* read("quarterbacks", renamed)).values, old.values)
      const [first] = Either.getOrThrow(yield* read("quarterbacks", textOf("player_weeks_2024.csv"))).values
      assert.deepInclude(first, { cpoe: 4.25, passingEpa: 8.5 })
    }),
  )

  it.effect("takes injury reports with line breaks in quotes, and with or without the date of change", () =>
    Effect.gen(function* () {
      const text = textOf("injuries_2024.csv")
      const { values } = Either.getOrThrow(yield* read("injuries", text))
      assert.strictEqual(values.length, 4)
      assert.deepInclude(values[2], {
        player: "Tod Wall",
        injury: "Knee",
        practiceStatus: "Full Participation in Practice",
      })
      assert.notProperty(values[2], "reportStatus")
      assert.notProperty(values[3], "gsisId")
      const undated = text.replace(",date_modified", "").replaceAll(/,2024-09-\d\dT18:00:00Z/g, "")
      assert.deepStrictEqual(Either.getOrThrow(yield* read("injuries", undated)).values, values)
    }),
  )

  it.effect("takes a file that has a header and no rows", () =>
    Effect.gen(function* () {
      const { values, seasons } = Either.getOrThrow(yield* read("injuries", textOf("injuries_2026.csv")))
      assert.deepStrictEqual([values, seasons], [[], []])
    }),
  )

  it.effect("distinguishes reserve lists from rosters by the status, not the code", () =>
    Effect.gen(function* () {
      const { values } = Either.getOrThrow(yield* read("rosters", textOf("roster_weekly_2024.csv")))
      assert.deepStrictEqual(
        values.flatMap(({ player, reserve }) =>
          reserve === undefined ? [] : [[player, reserve.status, reserve.designation]],
        ),
        [
          ["Wes Fast", "RES", "Injured reserve"],
          ["Gil Guard", "RES", "Reserve (W03)"],
          ["Sid Safety", "SUS", "Suspended"],
        ],
      )
      const before = textOf("roster_weekly_2024.csv").replaceAll(",2,REG", ",,")
      const preseason = Either.getOrThrow(yield* read("rosters", before)).values
      assert.deepStrictEqual([...new Set(preseason.map(({ week }) => week))], [1, 0])
    }),
  )

  it.effect("knows a list by the year in which it came out, teams by the code of the season", () =>
    Effect.gen(function* () {
      const { values, seasons } = Either.getOrThrow(yield* read("top100", textOf("top100.csv")))
      assert.deepStrictEqual(seasons, [2016, 2024])
      assert.deepStrictEqual(
        values.map(({ season, rank, code }) => [season, rank, code]),
        [
          [2016, 1, "OAK"],
          [2016, 2, "NO"],
          [2016, 3, "CLE"],
          [2024, 1, "KC"],
          [2024, 2, "BUF"],
        ],
      )
    }),
  )
})

describe("a file that cannot be true", () => {
  const bad: ReadonlyArray<
    readonly [what: string, feed: FormatName, text: () => string, field: string | undefined, line: number | undefined]
  > = [
    ["a renamed column", "games", () => changed("games.csv", 1, "spread_line", "spread"), "spread_line", 1],
    ["a missing column", "team_weeks", () => changed("team_week_2024.csv", 1, "rushing_epa", "x"), "rushing_epa", 1],
    [
      "a column that is there under none of its names",
      "quarterbacks",
      () => changed("player_weeks_2024.csv", 1, "sacks_suffered", "sacked"),
      "sacks_suffered or sacks",
      1,
    ],
    ["a file of another kind", "injuries", () => textOf("top100.csv"), "season", 1],
    ["an unknown team", "games", () => changed("games.csv", 3, ",KC,24", ",XYZ,24"), "away_team", 3],
    ["week 23", "games", () => changed("games.csv", 4, ",REG,1,", ",REG,23,"), "week", 4],
    ["a score of one side", "games", () => changed("games.csv", 3, "BUF,24,Home,0,48", "BUF,,Home,,"), "home_score", 3],
    [
      "text for a number",
      "quarterbacks",
      () => changed("player_weeks_2024.csv", 4, ",281,", ",many,"),
      "passing_yards",
      4,
    ],
    ["an injury in week 0", "injuries", () => changed("injuries_2024.csv", 2, "KC,1,", "KC,0,"), "week", 2],
    ["no name", "injuries", () => changed("injuries_2024.csv", 2, "Wes Fast", ""), "full_name", 2],
    ["rank 101", "top100", () => changed("top100.csv", 3, "Saint,2", "Saint,101"), "Rank", 3],
    ["a player twice", "top100", () => changed("top100.csv", 3, "Saint,2", "Saint,1"), undefined, 3],
    [
      "a row of another width",
      "games",
      () => changed("games.csv", 5, "Harbour Ground", "Harbour,Ground"),
      undefined,
      5,
    ],
    ["a file that breaks off", "games", () => textOf("games.csv").slice(0, -40), undefined, undefined],
    [
      "a file that breaks off within its last field",
      "games",
      () => textOf("games.csv").slice(0, -4),
      undefined,
      undefined,
    ],
  ]
  for (const [what, feed, text, field, line] of bad) {
    it.effect(`is refused with its place: ${what}`, () =>
      Effect.map(refusal(feed, text()), (found) => assert.deepStrictEqual(found, [field, line])),
    )
  }

  it.effect("is refused when it is empty, no CSV, or broken gzip", () =>
    Effect.gen(function* () {
      const page = "<!doctype html><html><body>Not found</body></html>"
      for (const bytes of ["", page, gzipSync(textOf("games.csv")).subarray(0, 200)]) {
        assert.isTrue(Either.isLeft(yield* read("games", bytes)))
      }
    }),
  )

  it.effect("names the row by its line although the one before takes two", () =>
    Effect.map(refusal("injuries", changed("injuries_2024.csv", 6, ",2,,", ",99,,")), (found) =>
      assert.deepStrictEqual(found, ["week", 6]),
    ),
  )
})
