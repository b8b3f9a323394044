import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { layerArchive, layerReports } from "../../../../../adapters/lanes/weather/store/ClimateReports.ts"
import { Sqlite } from "../../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import {
  type AppendOutcome,
  ClimateArchive,
  ClimateReports,
  type Issuance,
} from "../../../../../core/lanes/weather/ports.ts"
import type { ClimateReport } from "../../../../../core/lanes/weather/reports/ClimateReport.ts"
import { listDays } from "../../../../../core/lanes/weather/stations.ts"
import { anyStore } from "../../../../support/anyStore.ts"
import { issuance, issuedAt, preliminary } from "../../../../support/issuances.ts"
import { isPostgres } from "../../../../support/postgres.ts"
import { notingReads, type Ran } from "../../../../support/statements.ts"

/** A step of a query plan. */
interface Step {
  readonly detail: string
}

/** In the statement that asks whether a report has come. */
const newestRow = "climate_stations"

type Body<A, E, R> = (
  archive: typeof ClimateArchive.Service,
  reports: typeof ClimateReports.Service,
  sql: SqlClient.SqlClient,
) => Effect.Effect<A, E, R>

const ports = Layer.merge(layerArchive, layerReports)

const withPorts = <A, E, R>(body: Body<A, E, R>) =>
  Effect.flatMap(Effect.all([ClimateArchive, ClimateReports, SqlClient.SqlClient]), (found) => body(...found))

/** A test over a new store. */
const inMemory = <A, E>(body: Body<A, E, never>) => Effect.provide(withPorts(body), Layer.provideMerge(ports, anyStore))

/** The same over SQLite, whose reads are noted. */
const noting = <A, E>(body: Body<A, E, Sqlite>, reads: Array<Ran>) =>
  Effect.provide(
    withPorts(body),
    Layer.provideMerge(ports, Layer.provideMerge(notingReads(reads), sqlite.layer(":memory:"))),
  )

const received = (...issuances: ReadonlyArray<Issuance>) => issuances.map((each) => ({ issuance: each, text: "text" }))

const tables = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql<{ day: string }>`SELECT * FROM climate_reports ORDER BY day, product_id`,
    sql<{ day: string }>`SELECT * FROM climate_days_no_report ORDER BY station, day`,
  ])

describe("a range of the archive", () => {
  it.effect("has the days in order, each with its versions newest first, and no other station's", () =>
    inMemory((archive, reports) =>
      Effect.gen(function* () {
        const correction = issuance("2026-07-02", { productId: "a", issuedAt: issuedAt + 1_000 }, { correction: true })
        yield* archive.append(
          received(
            issuance("2026-07-03"),
            preliminary("2026-07-02"),
            issuance("2026-07-05"),
            correction,
            issuance("2026-07-02"),
            issuance("2026-07-04", { station: "KBOS" }),
            preliminary("2026-07-01"),
            preliminary("2026-07-06"),
            issuance("2026-07-07", { station: "KPHL" }, { status: "preliminary" }),
          ),
          10,
        )
        const day2 = [correction, issuance("2026-07-02"), preliminary("2026-07-02")]
        const ranges: ReadonlyArray<readonly [start: string, end: string, expected: ReadonlyArray<unknown>]> = [
          ["2026-07-02", "2026-07-03", [day2, [issuance("2026-07-03")]]],
          ["2026-07-02", "2026-07-02", [day2]],
          ["2026-07-03", "2026-07-05", [[issuance("2026-07-03")], [issuance("2026-07-05")]]],
          ["2026-07-04", "2026-07-04", []],
          ["2026-07-07", "2027-07-06", []],
          ["2026-07-03", "2026-07-02", []],
        ]
        for (const [start, end, expected] of ranges) {
          assert.deepStrictEqual<unknown>(yield* reports.range("KNYC", start, end), expected, `${start} ${end}`)
        }
        const spans: ReadonlyArray<readonly [station: string, today: string, first?: string, last?: string]> = [
          // A preliminary report counts for the day that is not over, and for no other.
          ["KNYC", "2026-07-09", "2026-07-02", "2026-07-05"],
          ["KNYC", "2026-07-06", "2026-07-02", "2026-07-06"],
          ["KBOS", "2026-07-09", "2026-07-04", "2026-07-04"],
          ["KPHL", "2026-07-07", "2026-07-07", "2026-07-07"],
          ["KPHL", "2026-07-08"],
          ["KDEN", "2026-07-09"],
        ]
        for (const [station, today, from, to] of spans) {
          const expected = from === undefined || to === undefined ? undefined : { first: from, last: to }
          assert.deepStrictEqual(yield* reports.coverage(station, today), expected, `${station} ${today}`)
        }
      }),
    ),
  )

  type Read = (
    archive: typeof ClimateArchive.Service,
    reports: typeof ClimateReports.Service,
  ) => Effect.Effect<unknown, unknown>

  const index = "sqlite_autoindex_climate_reports_1"
  const voided = "SEARCH v USING PRIMARY KEY (station=? AND day=? AND source=? AND version=?)"
  const asked = "SEARCH climate_days_no_report USING PRIMARY KEY (station=? AND day>? AND day<?)"
  const plans: Readonly<Record<string, readonly [read: Read, searches: ReadonlyArray<string>]>> = {
    "a range": [
      (_, { range }) => range("KNYC", "2025-06-05", "2026-07-09"),
      [`SEARCH climate_reports USING INDEX ${index} (station=? AND day>? AND day<?)`, voided],
    ],
    "one day": [
      (_, { versions }) => versions("KNYC", "2026-07-09"),
      [`SEARCH climate_reports USING INDEX ${index} (station=? AND day>? AND day<?)`, voided],
    ],
    "the first and the last day": [
      (_, { coverage }) => coverage("KNYC", "2026-07-09"),
      [
        `SEARCH climate_reports USING COVERING INDEX ${index} (station=? AND day=?)`,
        ...Array.from(
          { length: 2 },
          () => "SEARCH climate_reports USING INDEX climate_reports_final (station=? AND status=?)",
        ),
        ...Array.from({ length: 3 }, () => voided),
      ],
    ],
    "the days that nobody has asked for": [
      ({ unasked }) => unasked("KNYC", "2025-06-05", "2026-07-09", 1),
      [
        asked,
        "SEARCH climate_reports USING INDEX climate_reports_final (station=? AND status=? AND day>? AND day<?)",
        voided,
      ],
    ],
  }
  for (const [name, [read, searches]] of Object.entries(plans)) {
    it.effect.skipIf(isPostgres)(`reads ${name} along an index, in one statement`, () =>
      Effect.suspend(() => {
        const ran: Array<Ran> = []
        return noting(
          (archive, reports) =>
            Effect.gen(function* () {
              ran.length = 0
              yield* read(archive, reports)
              const reads = ran.filter(([text]) => !text.includes(newestRow))
              assert.strictEqual(reads.length, 1)
              const [[text, parameters]] = reads as [Ran]
              const { db } = yield* Sqlite
              const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parameters) as ReadonlyArray<Step>
              const steps = plan.map(({ detail }) => detail)
              assert.deepStrictEqual(steps.filter((step) => step.startsWith("SEARCH")).sort(), [...searches].sort())
              for (const step of steps) assert.notMatch(step, /^SCAN climate|FOR ORDER BY/, steps.join("; "))
            }),
          ran,
        )
      }),
    )
  }
})

describe("appending", () => {
  it.effect("says of each what became of it, in order, and appends nothing to nothing", () =>
    inMemory((archive, _reports, sql) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* archive.append([], 1), [])
        yield* archive.append(received(issuance("2026-07-01")), 1)
        const changed = issuance("2026-07-01", {}, { highF: 86 })
        assert.deepStrictEqual(
          yield* archive.append(received(issuance("2026-07-02"), changed, issuance("2026-07-01")), 2),
          ["stored", "conflict", "known"],
        )
        assert.strictEqual((yield* tables(sql))[0].length, 2)
      }),
    ),
  )

  it.effect("is all or nothing", () =>
    inMemory((archive, _reports, sql) =>
      Effect.gen(function* () {
        const impossible = issuance("2026-07-02", {}, { status: "official" as never })
        const exit = yield* Effect.exit(archive.append(received(issuance("2026-07-01"), impossible), 1))
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(yield* tables(sql), [[], []])
      }),
    ),
  )

  const final = issuance("2026-07-01", {}, { precipIn: 0, flags: ["high_record", "precip_trace"] })
  const fromArchive = { source: "archive" }
  const offers: ReadonlyArray<
    readonly [name: string, changes: Partial<Issuance>, report: Partial<ClimateReport>, becomes: AppendOutcome]
  > = [
    [
      "values alone, from an archive",
      fromArchive,
      { station: "NEW YORK", highTimeLocal: "3:47 PM", flags: [] },
      "known",
    ],
    ["another high, from an archive", fromArchive, { highF: 84 }, "conflict"],
    ["no low, from an archive", fromArchive, { lowF: undefined as never }, "conflict"],
    ["rain, from an archive", fromArchive, { precipIn: 0.01 }, "conflict"],
    ["snow, from an archive", fromArchive, { snowIn: 0.1 }, "conflict"],
    ["another status, from an archive", fromArchive, { status: "preliminary" }, "conflict"],
    ["other flags", {}, { flags: [] }, "conflict"],
    ["no high", {}, { highF: undefined as never }, "conflict"],
    ["another low", {}, { lowF: 63 }, "conflict"],
    ["another time of the high", {}, { highTimeLocal: "348 PM" }, "conflict"],
    ["another time of the low", {}, { lowTimeLocal: "0440 AM" }, "conflict"],
    ["another amount of rain", {}, { precipIn: 0.13 }, "conflict"],
    ["a time of validity", {}, { validAsOf: "0400 PM" }, "conflict"],
    ["a correction", {}, { correction: true }, "conflict"],
    ["another headline", {}, { station: "LA GUARDIA NY" }, "conflict"],
    ["another time of issue", { issuedAt: 5 }, {}, "conflict"],
  ]
  it.effect.each(offers)("the same product again with %s", ([, changes, report, becomes]) =>
    inMemory((archive, reports) =>
      Effect.gen(function* () {
        yield* archive.append(received(final), 1)
        const offered = { ...final, ...changes, report: { ...final.report, ...report } }
        assert.deepStrictEqual(yield* archive.append(received(offered), 2), [becomes])
        assert.deepStrictEqual(yield* reports.versions("KNYC", "2026-07-01"), [final])
      }),
    ),
  )
})

describe("days that were asked for", () => {
  const [start, end] = ["2026-07-01", "2026-07-05"] as const

  it.effect("are those without a final report that no source was asked for", () =>
    inMemory((archive) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* archive.unasked("KNYC", start, end, 0), listDays(start, end))
        yield* archive.append(received(issuance("2026-07-02"), preliminary("2026-07-03")), 1)
        yield* archive.noteAsked("KNYC", ["2026-07-04", "2026-07-05"], "archive", 2)
        yield* archive.noteAsked("KBOS", ["2026-07-01"], "archive", 2)
        assert.deepStrictEqual(yield* archive.unasked("KNYC", start, end, 2), ["2026-07-01", "2026-07-03"])
        assert.deepStrictEqual(yield* archive.unasked("KBOS", start, start, 2), [])
        assert.deepStrictEqual(yield* archive.unasked("KNYC", end, start, 2), [])
      }),
    ),
  )

  it.effect("are noted each time, and the newest note counts", () =>
    inMemory((archive, _reports, sql) =>
      Effect.gen(function* () {
        yield* archive.noteAsked("KNYC", [], "archive", 1)
        yield* archive.noteAsked("KNYC", [start, end], "archive", 2)
        yield* archive.noteAsked("KNYC", [start], "another", 5)
        // The same note again is the same note.
        yield* archive.noteAsked("KNYC", [start], "another", 5)
        assert.deepStrictEqual<unknown>((yield* tables(sql))[1], [
          { station: "KNYC", day: start, source: "archive", asked_at: 2 },
          { station: "KNYC", day: start, source: "another", asked_at: 5 },
          { station: "KNYC", day: end, source: "archive", asked_at: 2 },
        ])
        for (const [since, unasked] of [
          [2, []],
          [3, [end]],
          [5, [end]],
          [6, [start, end]],
        ] as const) {
          const found = yield* archive.unasked("KNYC", start, end, since)
          const noted = found.filter((day) => day === start || day === end)
          assert.deepStrictEqual<ReadonlyArray<string>>(noted, unasked, `since ${since}`)
        }
      }),
    ),
  )

  it.effect.skipIf(isPostgres)("is not read again until a row has come, whichever day it is of", () =>
    Effect.suspend(() => {
      const ran: Array<Ran> = []
      return noting(
        (archive, reports) =>
          Effect.gen(function* () {
            const counted = (read: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
              Effect.suspend(() => {
                ran.length = 0
                return Effect.map(
                  read,
                  (rows) => [rows.length, ran.filter(([text]) => !text.includes(newestRow)).length] as const,
                )
              })
            const range = reports.range("KNYC", "2024-01-01", "2026-12-31")
            yield* archive.append(received(issuance("2024-03-04")), 2_000)
            assert.deepStrictEqual(yield* counted(range), [1, 1])
            assert.deepStrictEqual(yield* counted(range), [1, 0])
            assert.deepStrictEqual(yield* archive.append(received(issuance("2024-03-05")), 2_000), ["stored"])
            assert.deepStrictEqual(yield* counted(range), [2, 1])
          }),
        ran,
      )
    }),
  )
})
