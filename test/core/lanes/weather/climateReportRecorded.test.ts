import { readdirSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { ifDefined } from "../../../../core/ifDefined.ts"
import type {
  ClimateProduct,
  ClimateReport,
  QualityFlag,
} from "../../../../core/lanes/weather/reports/ClimateReport.ts"
import { assertRefused, product, products, report } from "../../../support/climateReport.ts"
import { describeRealData } from "../../../support/realData.ts"

const table = readFileSync(new URL("../../../fixtures/weather/recordedReports.txt", import.meta.url), "utf8")

/** Degrees and, in most reports, a time. */
const readExtreme = (cell = ""): readonly [degrees: number, time?: string] | undefined => {
  const [, degrees, time] = /^(-?\d+) ?(.*)$/.exec(cell) ?? []
  return degrees === undefined ? undefined : time ? [Number(degrees), time] : [Number(degrees)]
}

const readRow = (row: string): ClimateReport => {
  const [, , , station = "", day = "", high, low, precip, snow, flags, valid] = row.split("; ")
  const amounts = {
    ...ifDefined("precip", precip ? Number(precip) : undefined),
    ...ifDefined("snow", snow ? Number(snow) : undefined),
  }
  const marks = (flags ? flags.split(" ") : []) as ReadonlyArray<QualityFlag>
  return report(station, day, readExtreme(high), readExtreme(low), amounts, marks, valid)
}

/** Read by eye from the texts; a row without a file is another report of the product before it. */
const recorded: Record<string, ClimateProduct | readonly [reason: string, line: number]> = {
  // One space between all words: nothing stands under the header any more.
  "CLIPPG.txt": ["unknown column layout: a value left of OBSERVED", 15],
}
for (const lines of table
  .trimEnd()
  .split(/\n(?!; )/)
  .slice(1)) {
  const [name = "", productId = "", issued = ""] = lines.split("; ")
  recorded[name] = product(productId, issued, ...lines.split("\n").map(readRow))
}

describeRealData("recorded climate reports", (root) => {
  const folder = `${root}/weather/cli`
  it("match this table one to one", () => {
    const names = readdirSync(folder).sort()
    assert.deepStrictEqual(names, Object.keys(recorded).sort())
    assert.strictEqual(names.length, 46)
  })

  it.each(Object.entries(recorded))("%s", (name, expected) => {
    const text = readFileSync(`${folder}/${name}`, "utf8")
    const relayed = `\u0001\r\r\n${text.replaceAll("\n", "\r\r\n")}\u0003`
    if ("productId" in expected) {
      assert.deepStrictEqual(products(text), expected)
      assert.deepStrictEqual(products(relayed), expected)
    } else {
      assertRefused(text, ...expected)
      assertRefused(relayed, expected[0], expected[1] + 1)
    }
  })
})
