import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readWeather } from "../../../../../bench/open/lanes/weather/files.ts"

const folder = mkdtempSync(join(tmpdir(), "bench-weather-"))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const read = (bytes: string | Uint8Array) => {
  const path = join(folder, `${++files}.csv`)
  writeFileSync(path, bytes)
  return readWeather(path)
}
const csv = (head: string, ...lines: ReadonlyArray<string>) => [head, ...lines, ""].join("\n")

const recorded = "station,target_date,asof_utc,source,forecast_high_f,actual_high_f"
const documented = "station,day,variable,at,forecast,actual,source,lat,lon,utc_offset"

const nyc = {
  station: "KNYC",
  lat: 40.7789,
  lon: -73.9692,
  utcOffset: -5,
  day: "2021-02-23",
  variable: "high" as const,
  issuedAt: Date.UTC(2021, 1, 22, 12),
  forecastF: 40.5,
  actualF: 45,
  source: "NBM",
}

describe("a file of forecasts with official values", () => {
  const archive = csv(
    recorded,
    "KNYC,2021-02-23,2021-02-22 12:00,NBM,40.5,45.0",
    "KNYC,2021-02-24,2021-02-23 12:00,NBM,,54.0",
    "KNYC,2021-02-25,2021-02-24 12:00,NBM,545.5,50.0",
    "KNYC,2021-02-26,2021-02-25 12:00,NBM,42,",
  )
  it.effect.each([
    ["plain", archive],
    ["packed", gzipSync(archive)],
    ["with line ends of Windows", archive.replaceAll("\n", "\r\n")],
  ] as const)("of an archive is read %s, and says what it leaves out", ([, bytes]) =>
    Effect.map(read(bytes), ({ rows, leftOut, inputs }) => {
      assert.deepStrictEqual(rows, [nyc])
      assert.deepStrictEqual(leftOut, [
        { station: "KNYC", day: "2021-02-24", column: "forecast_high_f" },
        { station: "KNYC", day: "2021-02-25", column: "forecast_high_f" },
        { station: "KNYC", day: "2021-02-26", column: "actual_high_f" },
      ])
      assert.strictEqual(inputs[0]!.rows, 1)
      assert.match(inputs[0]!.sha256, /^[0-9a-f]{64}$/)
    }),
  )

  it.effect("has highs and lows of any station", () =>
    Effect.map(
      read(
        csv(
          documented,
          "KNYC,2021-02-23,,2021-02-22T13:00:00+01:00,40.5,45,NBM,,,",
          "XFLD,2021-02-23,low,2021-02-22T12:00:00Z,-40.5,-45,,44.5,-111.25,-7",
        ),
      ),
      ({ rows }) => {
        assert.deepStrictEqual(rows, [
          nyc,
          {
            ...{ station: "XFLD", lat: 44.5, lon: -111.25, utcOffset: -7, day: "2021-02-23", variable: "low" },
            ...{ issuedAt: nyc.issuedAt, forecastF: -40.5, actualF: -45, source: "" },
          },
        ])
      },
    ),
  )

  const row = "XFLD,2021-02-23,high,2021-02-22T12:00:00Z,40.5,45,NBM,44.5,-111.25,-7"
  it.effect.each([
    ["no day", row.replace("2021-02-23", "soon"), 'line 3, day, "soon" is not a date'],
    ["a day that is none", row.replace("2021-02-23", "2021-02-30"), 'line 3, day, "2021-02-30" is not a date'],
    ["another extreme", row.replace("high", "mean"), 'line 3, variable, "mean" is not one of high, low.'],
    ["a time without a zone", row.replace("00Z", "00"), 'line 3, at, "2021-02-22T12:00:00" is not a time'],
    ["a time that is none", row.replace("02-22T", "02-30T"), 'line 3, at, "2021-02-30T12:00:00Z" is not a time'],
    [
      "a time after the day",
      row.replace("02-22T12", "02-24T07"),
      "line 3, at, 2021-02-24T07:00:00.000Z is not before the day's end, 2021-02-24T07:00:00.000Z.",
    ],
    ["a time of another year", row.replace("2021-02-22", "2020-02-22"), "line 3, at, 2020-02-22T12:00:00.000Z is more"],
    ["a forecast in words", row.replace("40.5", "warm"), 'line 3, forecast, "warm" is not a number.'],
    ["NaN", row.replace("40.5", "NaN"), 'line 3, forecast, "NaN" is not a number.'],
    ["half a degree", row.replace(",45,", ",45.5,"), "line 3, actual, 45.5 is not a whole degree."],
    ["an id in small letters", row.replace("XFLD", "xfld"), 'line 3, station, "xfld" is not an id'],
    ["no place", row.replace("44.5,-111.25,-7", ",,"), "line 3, lat, Missing value: XFLD is not one of the service's"],
    ["no offset", row.replace(/-7$/, ""), "line 3, utc_offset, Missing value: XFLD is not one"],
    ["an offset of minutes", row.replace(/-7$/, "-420"), "line 3, utc_offset, -420 is not a number from -12 to 14."],
    ["a latitude of a hundred", row.replace("44.5", "100"), "line 3, lat, 100 is not a number from -90 to 90."],
    ["a forecast twice", row.replace("40.5", "41"), "line 4, Duplicate of line 3: XFLD/high/2021-02-23/2021-02-22"],
    [
      "two values of a day",
      row.replace("T12", "T18").replace(",45,", ",46,"),
      "line 4, actual, 46, but an earlier row of XFLD, 2021-02-23, high has another.",
    ],
    [
      "a station that moves",
      row.replace("02-23", "02-24").replace("44.5", "44.6"),
      "line 4, lat, XFLD has another lat, lon or utc_offset in an earlier row.",
    ],
  ] as const)("is refused for %s", ([, bad, message]) =>
    Effect.map(
      Effect.flip(
        read(
          csv(
            documented,
            "KNYC,2021-02-23,,2021-02-22T12:00:00Z,40.5,45,NBM,,,",
            ...(message.startsWith("line 4") ? [row] : []),
            bad,
          ),
        ),
      ),
      (error) => assert.include(error.message, message),
    ),
  )

  it.effect.each([
    ["a column is missing", "station,day,at,forecast\n", "line 1, actual or actual_high_f, Missing column."],
    ["it is empty", "", "The file is empty"],
    ["it is cut off", csv(recorded, "KNYC,2021-02-23").trimEnd(), "The file is cut off"],
  ] as const)("is refused where %s", ([, text, message]) =>
    Effect.map(Effect.flip(read(text)), (error) => assert.include(error.message, message)),
  )
})
