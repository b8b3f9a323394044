import { assert, describe, it } from "@effect/vitest"
import { byLabel, Distribution, type Family, gauge, text } from "../../../../adapters/runtime/telemetry/exposition.ts"
import { scrapeOf } from "../../../support/scrape.ts"

describe("the text format", () => {
  it("escapes label values and help, and writes infinities as Prometheus does", () => {
    const hostile = 'a "quoted" \\ back\nslash, brace } {'
    const families: ReadonlyArray<Family> = [
      { ...gauge("one", `Help of ${hostile}.`, Number.POSITIVE_INFINITY) },
      byLabel("counter", "two_total", "Two.", "of", [
        [hostile, 1],
        ["plain", 2.5],
      ]),
    ]
    const found = scrapeOf(text(families))
    assert.strictEqual(found.value("one"), Number.POSITIVE_INFINITY)
    assert.strictEqual(found.value("two_total", { of: hostile }), 1)
    assert.include(
      found.text,
      '# HELP one Help of a "quoted" \\\\ back\\nslash, brace } {.\n# TYPE one gauge\none +Inf\n',
    )
  })

  it("names a family without series", () => {
    const none = "# HELP none None.\n# TYPE none gauge\n"
    assert.strictEqual(text([byLabel("gauge", "none", "None.", "of", [])]), none)
    assert.strictEqual(text([gauge("none", "None.", undefined)]), none)
    assert.isEmpty(scrapeOf(none).series)
  })
})

describe("a distribution", () => {
  it("counts a value in the range whose end it does not exceed, cumulated", () => {
    const times = new Distribution([1, 10, 100])
    for (const value of [0, 1, 1.5, 10, 99, 101, 5_000]) times.add(value)
    assert.deepStrictEqual(times.samples({ of: "x" }, 1_000), [
      { suffix: "_bucket", labels: { of: "x", le: "0.001" }, value: 2 },
      { suffix: "_bucket", labels: { of: "x", le: "0.01" }, value: 4 },
      { suffix: "_bucket", labels: { of: "x", le: "0.1" }, value: 5 },
      { suffix: "_bucket", labels: { of: "x", le: "+Inf" }, value: 7 },
      { suffix: "_sum", labels: { of: "x" }, value: 5.2125 },
      { suffix: "_count", labels: { of: "x" }, value: 7 },
    ])
  })
})
