import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { makeBulletinReader, readBulletin } from "../../../../../core/lanes/weather/guidance/bulletin.ts"
import { type Guidance, runsDue, toGuidance } from "../../../../../core/lanes/weather/guidance/Guidance.ts"
import { byId } from "../../../../../core/lanes/weather/stations.ts"
import { hour } from "../../../../../core/time.ts"
import { bulletinOf, spreadOfPercentiles } from "../../../../support/guidanceBulletins.ts"
import { describeRealData, realData } from "../../../../support/realData.ts"

const nyc = byId.get("KNYC")!
const run = Date.UTC(2026, 6, 9, 13)
const own = bulletinOf("nbm", "KNYC", run, (variable, at) =>
  at < run + 12 * hour ? undefined : variable === "high" ? 101 : 68,
)

const blocksOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const reader = makeBulletinReader(() => true)
  // In pieces, as it comes from a socket.
  for (let at = 0; at < text.length; at += 97) reader.push(text.slice(at, at + 97))
  return reader.end()
}

const read = (lines: ReadonlyArray<string>) => readBulletin(lines)
const good = (lines: ReadonlyArray<string>) => Either.getOrThrow(read(lines))

const folder = realData === undefined ? undefined : join(realData, "weather/mos")
const recorded =
  folder === undefined
    ? []
    : readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "latin1")] as const)

/** Every way to lose or double a character of a row, to cut all rows, and to lose one. */
const damagesOf = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const width = Math.max(...lines.map(({ length }) => length))
  const rows = Array.from(lines.keys()).slice(1)
  return Array.from({ length: width - 5 }, (_, at) => at + 5).flatMap((at) => [
    lines.map((line, row) => (row === 0 ? line : line.slice(0, at))),
    ...rows.flatMap((damaged) =>
      [
        (line: string) => line.slice(0, at),
        (line: string) => line.slice(0, at) + line.slice(at + 1),
        (line: string) => `${line.slice(0, at)} ${line.slice(at)}`,
      ].map((damage) => lines.map((line, row) => (row === damaged ? damage(line) : line))),
    ),
  ])
}

const assertNeverWrong = (lines: ReadonlyArray<string>): void => {
  const values = new Set(good(lines).extremes.map((extreme) => JSON.stringify(extreme)))
  for (const damaged of damagesOf(lines)) {
    const { extremes } = Either.getOrElse(read(damaged), () => ({ extremes: [] }))
    for (const extreme of extremes)
      assert.isTrue(values.has(JSON.stringify(extreme)), `${damaged.join("\n")}\n${JSON.stringify(extreme)}`)
  }
}

/** After the text card of the laboratory, with a missing column and percentiles that whole degrees make equal. */
const percentiles = [
  " KAUS    NBM V5.0 NBP GUIDANCE    9/17/2026  0100 UTC",
  "       THU 17| FRI 18| SAT 19| SUN 20|",
  "UTC    00  12| 00  12| 00  12| 00  12|",
  "FHR    23  35| 47  59| 71  83| 95 107|",
  "TXNMN  99  73| 99  70|-99  72|100  -1|",
  "TXNSD   1   2|  2   3|-99   3|  4   5|",
  "TXNP1  97  71| 97  66|-99  69| 95  -7|",
  "TXNP2  98  72| 98  68|-99  71| 97  -4|",
  "TXNP5  99  73| 99  71|-99  72| 99  -1|",
  "TXNP7 100  74|100  73|-99  74|102   2|",
  "TXNP9 100  75|100  74|-99  75|104   6|",
  "WSPP1   3   2|  3   2|  3   2|-99 -99|",
]

describe("a bulletin of percentiles", () => {
  it("has mean, spread and percentiles under its columns, and none of a column that is missing", () => {
    const { product, station, extremes } = good(percentiles)
    assert.deepStrictEqual([product, station, extremes.length], ["NBM NBP", "KAUS", 7])
    assert.deepStrictEqual(extremes[0], {
      ...{ variable: "high", validAt: Date.UTC(2026, 8, 18), tempF: 99, sigmaF: 1 },
      percentilesF: [97, 98, 99, 100, 100],
    })
    assert.deepStrictEqual(extremes.at(-1), {
      ...{ variable: "low", validAt: Date.UTC(2026, 8, 21, 12), tempF: -1, sigmaF: 5 },
      percentilesF: [-7, -4, -1, 2, 6],
    })
    assert.isFalse(extremes.some(({ validAt }) => validAt === Date.UTC(2026, 8, 20)))
  })

  it("is of the climate days that end about its columns, for its own source alone", () => {
    const austin = byId.get("KAUS")!
    const rows = toGuidance(good(percentiles), "nbp", austin, Date.UTC(2026, 8, 17, 3)) as ReadonlyArray<Guidance>
    assert.deepStrictEqual(
      rows.slice(0, 2).map(({ day, variable, source }) => [day, variable, source]),
      [
        ["2026-09-17", "high", "nbp"],
        ["2026-09-18", "low", "nbp"],
      ],
    )
    assert.strictEqual(toGuidance(good(percentiles), "nbm", austin, Date.UTC(2026, 8, 17, 3)), "it is of NBM NBP")
  })

  it.each([
    ["a percentile below the one before it", /^TXNP2 {2}98/, "TXNP2  96", /percentiles in column 1 contradict/],
    ["a mean beyond them", /^TXNMN {2}99/, "TXNMN  96", /percentiles in column 1 contradict/],
    ["a row of another name", /^TXNP7/, "TXNP8", /^row TXNP7 lacks a column/],
    ["no spread", /^TXNSD/, "TXXSD", /^row TXNSD lacks a column/],
    ["hours of another run", /^FHR {4}23/, "FHR    22", /contradict each other/],
    ["a cell that is empty", /100 {2}74\|100 {2}73/, "100    |100  73", /^row TXNP7 lacks a column/],
    ["a record of no place", /^TXNP9 100/, "TXNP9 150", /^150 °F is not a plausible temperature/],
  ] as const)("is refused with %s", (_, from, to, reason) => {
    const read = readBulletin(percentiles.map((line) => line.replace(from, to)))
    assert.match(Either.isLeft(read) ? read.left : "read", reason)
  })

  it("that is cut, shifted or lacks a row is refused, or has fewer values, never another one", () => {
    assertNeverWrong(percentiles)
    const made = bulletinOf("nbp", "KNYC", run, (variable, at) =>
      (at / (12 * hour)) % 5 === 0 ? undefined : variable === "high" ? 101 : 8,
    )
    assert.deepStrictEqual(
      good(made.split("\n"))
        .extremes.find(({ variable }) => variable === "high")
        ?.percentilesF?.map((each) => each - 101),
      [...spreadOfPercentiles],
    )
    assertNeverWrong(made.trimEnd().split("\n"))
  })
})

describe("a bulletin", () => {
  it("has its extremes under their columns: maxima at 00 UTC, minima at 12 UTC", () => {
    const { station, product, issuedAt, extremes } = good(own.split("\n"))
    assert.deepStrictEqual([station, product, issuedAt], ["KNYC", "NBM NBS", run])
    assert.deepStrictEqual(extremes[0], { variable: "low", validAt: Date.UTC(2026, 6, 10, 12), tempF: 68 })
    assert.deepStrictEqual(extremes[1], { variable: "high", validAt: Date.UTC(2026, 6, 11), tempF: 101 })
  })

  it("that is cut, shifted or lacks a row is refused, or has fewer values, never another one", () => {
    assertNeverWrong(own.trimEnd().split("\n"))
  })

  it("is of climate days: a maximum that ends at 00 UTC of the day before", () => {
    const guidance = toGuidance(good(own.split("\n")), "nbm", nyc, run + hour) as ReadonlyArray<Guidance>
    assert.deepInclude(guidance, {
      station: "KNYC",
      source: "nbm",
      variable: "high",
      day: "2026-07-10",
      issuedAt: run,
      tempF: 101,
    })
    assert.deepInclude(guidance, {
      station: "KNYC",
      source: "nbm",
      variable: "low",
      day: "2026-07-10",
      issuedAt: run,
      tempF: 68,
    })
  })

  it("of another station, of the future or of the day before yesterday is refused", () => {
    const bulletin = good(own.split("\n"))
    assert.match(String(toGuidance(bulletin, "nbm", byId.get("KMIA")!, run + hour)), /^it is of KNYC/)
    assert.match(String(toGuidance(bulletin, "nbm", nyc, run - hour)), /is in the future$/)
    assert.match(String(toGuidance(bulletin, "nbm", nyc, run + 25 * hour)), /over a day ago$/)
  })

  it("is due an hour after a run of the blend, four hours after one of the GFS", () => {
    const at = Date.UTC(2026, 6, 9, 14, 30)
    assert.deepStrictEqual(runsDue("nbm", at), [Date.UTC(2026, 6, 9, 13), Date.UTC(2026, 6, 9, 7)])
    assert.deepStrictEqual(runsDue("gfs_mos", at), [Date.UTC(2026, 6, 9, 6), Date.UTC(2026, 6, 9, 0)])
  })
})

describeRealData("recorded bulletins", () => {
  /** Bulletins that are read, and the reasons of the others; several are damaged on purpose. */
  const outcomes = Object.fromEntries(
    recorded.map(([file, text]) => {
      const all = blocksOf(text).map(read)
      return [
        file,
        [all.filter(Either.isRight).length, ...new Set(all.flatMap((one) => (Either.isLeft(one) ? [one.left] : [])))],
      ]
    }),
  )

  it("are read, or refused with the reason", () => {
    assert.deepInclude(outcomes, {
      "NBS_v5.txt": [1],
      "NBEUSA.txt": [2],
      "METNC1.txt": [4],
      "MEXNC1.txt": [4],
      "ECS.txt": [3],
    })
    assert.deepStrictEqual(outcomes["NBS_badtime.txt"], [0, "its rows of times contradict each other"])
    assert.deepStrictEqual(outcomes["NBSUSA_empty.txt"], [0, "it has no row of extremes"])
    assert.deepStrictEqual(outcomes["NBS_badheader.txt"], [0])
  })

  it("that are cut in a column never give another value", () => {
    for (const [, text] of recorded) {
      const first = blocksOf(text).find((lines) => Either.isRight(read(lines)))
      if (first !== undefined) assertNeverWrong(first)
    }
  })
})
