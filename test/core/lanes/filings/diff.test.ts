import { assert, describe, it } from "@effect/vitest"
import { compareFilings } from "../../../../core/lanes/filings/diff.ts"
import type { Filed } from "../../../../core/lanes/filings/mod.ts"

type Section = Filed["sections"][number]

const section = (item: string, key_points: ReadonlyArray<string>, word_count = 1_000): Section => ({
  item,
  title: `Item ${item}`,
  summary: `${item}: ${key_points.join(" ")}`,
  key_points,
  word_count,
})

const filed = (accession_number: string, ...sections: ReadonlyArray<Section>): Filed => ({
  filing: {
    accession_number,
    cik: "0009999999",
    company: "Somebody",
    form_type: "10-K",
    filed_at: "2026-02-01T00:00:00.000Z",
    period_of_report: "2025-12-31",
    source_url: "https://example.com/",
  },
  sections,
})

const changed = (before: Section, after: Section) => compareFilings(filed("1", before), filed("2", after)).changed

describe("the changes from one filing to the next", () => {
  it("name the prior filing, the items that came and those that went, each in its filing's order", () => {
    const [a, b, c, d] = ["1", "1A", "7", "9B"].map((item) => section(item, ["x"])) as [
      Section,
      Section,
      Section,
      Section,
    ]
    assert.deepStrictEqual(compareFilings(filed("prior", d, a, b), filed("current", c, b)), {
      prior_accession_number: "prior",
      prior_filed_at: "2026-02-01T00:00:00.000Z",
      added: ["7"],
      removed: ["9B", "1"],
      changed: [],
    })
  })

  it("say in one sentence what became of an item's key points and its length", () => {
    const before = section("1A", ["a", "b", "c", "d", "e"], 1_000)
    const after = section("1A", ["b", "c", "d", "e", "f", "g"], 990)
    assert.deepStrictEqual(changed(before, after), [
      {
        item: "1A",
        change: "2 key points added, 1 key point removed, 10 words fewer.",
        before: "1A: a b c d e",
        after: "1A: b c d e f g",
        significance: "medium",
      },
    ])
    assert.strictEqual(
      changed(section("1", ["a"]), section("1", ["a", "b"]))[0]?.change,
      "1 key point added, 0 key points removed, 0 words more.",
    )
  })

  it("do not count another length or another order of the same key points", () => {
    assert.deepStrictEqual(changed(section("1", ["a", "b"], 100), section("1", ["b", "a"], 900)), [])
  })

  it("are significant by the share of the key points, from a fifth and from a half", () => {
    const points = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`)
    const significance = (before: number, after: number) =>
      changed(section("1", points(before)), section("1", points(after)))[0]?.significance
    // 1 of 9 + 10; 2 of 4 + 6 is exactly a fifth; 4 of 8 is exactly a half; 3 of 7 is less.
    assert.strictEqual(significance(9, 10), "low")
    assert.strictEqual(significance(4, 6), "medium")
    assert.strictEqual(significance(2, 5), "medium")
    assert.strictEqual(significance(2, 6), "high")
    assert.strictEqual(significance(0, 1), "high")
  })

  it("are significant by the change of length too, either way", () => {
    const points = Array.from({ length: 50 }, (_, at) => `p${at}`)
    const significance = (before: number, after: number) =>
      changed(section("1", points, before), section("1", [...points, "new"], after))[0]?.significance
    assert.strictEqual(significance(1_000, 1_199), "low")
    assert.strictEqual(significance(1_000, 1_200), "medium")
    assert.strictEqual(significance(1_000, 501), "medium")
    assert.strictEqual(significance(1_000, 500), "high")
    assert.strictEqual(significance(0, 1), "high")
  })
})
