import { readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import * as Either from "effect/Either"
import {
  type ClimateProduct,
  type ClimateReport,
  ClimateReportError,
  parse,
  type QualityFlag,
} from "../../core/lanes/weather/reports/ClimateReport.ts"

/** Degrees and the printed time of day; undefined for a missing value. */
type Extreme = readonly [degrees: number, time?: string] | undefined
type Amounts = { readonly precip?: number; readonly snow?: number }

export const report = (
  station: string,
  day: string,
  high: Extreme,
  low: Extreme,
  { precip, snow }: Amounts,
  flags: ReadonlyArray<QualityFlag>,
  validAsOf?: string,
): ClimateReport => ({
  station,
  day,
  status: flags.includes("preliminary") ? "preliminary" : "final",
  ...(validAsOf === undefined ? {} : { validAsOf }),
  correction: flags.includes("correction"),
  ...(high === undefined ? {} : { highF: high[0] }),
  ...(low === undefined ? {} : { lowF: low[0] }),
  ...(high?.[1] === undefined ? {} : { highTimeLocal: high[1] }),
  ...(low?.[1] === undefined ? {} : { lowTimeLocal: low[1] }),
  ...(precip === undefined ? {} : { precipIn: precip }),
  ...(snow === undefined ? {} : { snowIn: snow }),
  flags,
})

/** A product by its id, from which the rest of its identity follows. */
export const product = (
  productId: string,
  issuedLocalDay: string,
  ...reports: ReadonlyArray<ClimateReport>
): ClimateProduct => {
  const [stamp = "", office = "", heading = "", awipsId = "", amendment] = productId.split("-")
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(stamp)!.map(Number)
  return {
    productId,
    issuedAt: Date.UTC(year!, month! - 1, day, hour, minute),
    issuedLocalDay,
    office,
    heading,
    awipsId,
    ...(amendment === undefined ? {} : { amendment }),
    reports,
  }
}

export const assertRefused = (text: string, reason: string, line: number) => {
  const parsed = parse(text)
  assert.isTrue(Either.isLeft(parsed), `parsed: ${JSON.stringify(parsed)}`)
  if (!Either.isLeft(parsed)) return
  assert.instanceOf(parsed.left, ClimateReportError)
  assert.include(parsed.left.reason, reason)
  assert.strictEqual(parsed.left.line, line)
  return parsed.left
}

export const products = (text: string): ClimateProduct => Either.getOrThrowWith(parse(text), (error) => error)

export const grayfield = readFileSync(new URL("../fixtures/weather/grayfield.txt", import.meta.url), "utf8")
export const grayfieldLines = grayfield.split("\n")

/** The synthetic report with some lines replaced, by line number; null drops the line. */
export const edited = (changes: Record<number, string | null>): string =>
  grayfieldLines
    .flatMap((line, index) => {
      const change = changes[index + 1]
      return change === undefined ? [line] : change === null ? [] : [change]
    })
    .join("\n")

export const lineRange = (from: number, to: number, line: string | null = null): Record<number, string | null> =>
  Object.fromEntries(Array.from({ length: to - from + 1 }, (_, index) => [from + index, line]))

export const plain = products(grayfield)
export const section = grayfieldLines.slice(8, 32).join("\n")
