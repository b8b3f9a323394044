import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { printReport } from "../../../../../adapters/lanes/weather/mock/climateText.ts"
import { drawIssuance } from "../../../../../adapters/lanes/weather/mock/reports.ts"
import { type Failure, fail } from "../../../../../core/Failure.ts"
import {
  type AppendOutcome,
  ClimateArchive,
  ClimateDays,
  type ReceivedReport,
} from "../../../../../core/lanes/weather/ports.ts"
import { whyNotToStore } from "../../../../../core/lanes/weather/reports/backfill.ts"
import type { Ingested } from "../../../../../core/lanes/weather/reports/ingest.ts"
import { byId, listDays } from "../../../../../core/lanes/weather/stations.ts"

const station = byId.get("KNYC")!
const days = listDays("2025-06-01", "2025-06-30")
const year: ReadonlyArray<ReceivedReport> = days.map((day) => ({
  issuance: drawIssuance(station, day, "final"),
  text: "",
}))

/** The rows, each with a value of the row after it. */
const shifted = (name: "highF" | "lowF" | "precipIn"): ReadonlyArray<ReceivedReport> =>
  year.map((row, at) => {
    const { [name]: value } = year[(at + 1) % year.length]!.issuance.report
    const { [name]: _, ...report } = row.issuance.report
    return {
      ...row,
      issuance: { ...row.issuance, report: { ...report, ...(value !== undefined && { [name]: value }) } },
    }
  })

const refusals = (count: number): ReadonlyArray<Ingested> =>
  Array.from({ length: count }, (_, at) => ({ _tag: "Refused", what: `row ${at + 1}`, reason: "it cannot be." }))

const texts = new Map(
  days.map((day) => [drawIssuance(station, day, "final").productId, printReport(station, day, "final")] as const),
)

/** The doubt, and which texts were asked for. */
const judged = async (
  received: ReadonlyArray<ReceivedReport>,
  {
    refused = [],
    stored = [],
    isDown = false,
  }: {
    readonly refused?: ReadonlyArray<Ingested>
    readonly stored?: ReadonlyArray<AppendOutcome>
    readonly isDown?: boolean
  } = {},
) => {
  const asked: Array<string> = []
  const text = (id: string): Effect.Effect<string, Failure> => {
    asked.push(id)
    return isDown ? fail("upstream_unavailable", { detail: "It is down." }) : Effect.succeed(texts.get(id)!)
  }
  const compare = (rows: ReadonlyArray<ReceivedReport>) => Effect.succeed(rows.map((_, at) => stored[at] ?? "stored"))
  const doubt = await Effect.runPromise(
    whyNotToStore(received, refused).pipe(
      Effect.provideService(ClimateArchive, { compare } as Partial<
        typeof ClimateArchive.Service
      > as typeof ClimateArchive.Service),
      Effect.provideService(ClimateDays, { text } as Partial<typeof ClimateDays.Service> as typeof ClimateDays.Service),
    ),
  )
  return { doubt, asked }
}

describe("a year of an archive", () => {
  it("is not doubted where the text of one of its reports says the same", async () => {
    const { doubt, asked } = await judged(year)
    assert.isUndefined(doubt)
    assert.lengthOf(asked, 1)
  })

  for (const name of ["highF", "lowF", "precipIn"] as const) {
    it(`is doubted with ${name} of the next day`, async () => {
      const { doubt, asked } = await judged(shifted(name))
      assert.strictEqual(doubt, `${asked[0]}: its text contradicts its row.`)
    })
  }

  it("stands for itself where the text cannot be had", async () => {
    assert.isUndefined((await judged(shifted("highF"), { isDown: true })).doubt)
  })

  it("is asked for the text of a final report that is new", async () => {
    const isNew = 12
    const stored = year.map((_, at) => (at === isNew ? "stored" : "known"))
    assert.deepStrictEqual((await judged(year, { stored })).asked, [year[isNew]!.issuance.productId])
    assert.deepStrictEqual((await judged(year, { stored: year.map(() => "known") })).asked, [])
  })

  it("is doubted where more than a tenth of its reports were issued before the end of their day", async () => {
    const early = (count: number): ReadonlyArray<ReceivedReport> =>
      year.map((row, at) =>
        at < count
          ? { ...row, issuance: { ...row.issuance, report: { ...row.issuance.report, status: "preliminary" } } }
          : row,
      )
    assert.deepStrictEqual(await judged(early(4)), {
      doubt: `4 rows of 30 were issued before the end of their day: ${year[0]!.issuance.productId} first.`,
      asked: [],
    })
    assert.isUndefined((await judged(early(3))).doubt)
  })

  it("is doubted where more than a tenth of its rows cannot be, and more than one", async () => {
    assert.strictEqual(
      (await judged(year, { refused: refusals(4) })).doubt,
      "4 rows of 34 are invalid: row 1, it cannot be.",
    )
    assert.isUndefined((await judged(year, { refused: refusals(3) })).doubt)
    assert.isUndefined((await judged(year.slice(0, 2), { refused: refusals(1) })).doubt)
  })

  it("is doubted where more than a tenth of the stored reports differ, and more than one", async () => {
    const outcomes = (conflicts: number): ReadonlyArray<AppendOutcome> =>
      year.map((_, at) => (at < 10 ? "stored" : at < 10 + conflicts ? "conflict" : "known"))
    assert.strictEqual(
      (await judged(year, { stored: outcomes(3) })).doubt,
      `3 rows of 20 differ from the stored reports: ${year[10]!.issuance.productId} first.`,
    )
    assert.isUndefined((await judged(year, { stored: outcomes(2) })).doubt)
    assert.isUndefined((await judged(year, { stored: ["conflict", "known"] })).doubt)
  })
})
