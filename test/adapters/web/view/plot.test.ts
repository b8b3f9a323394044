import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { renderToString } from "preact-render-to-string"
import { percent, plus, points, signed } from "../../../../adapters/web/view/numbers.ts"
import { type Mark, type Picture, plot } from "../../../../adapters/web/view/plot.tsx"
import { apart, letter, narrowest, ticks, ticksAround, timeTicks } from "../../../../adapters/web/view/ticks.ts"
import { elementsOf } from "../../../support/wellFormed.ts"

const instant = FastCheck.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) })
const length = FastCheck.double({ min: 6, max: 11.5, noNaN: true }).map((power) => Math.round(10 ** power))

describe("ticks", () => {
  it("are round numbers within their range", () => {
    assert.deepStrictEqual(ticks(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1])
    assert.deepStrictEqual(ticks(-0.012, 0.012), [-0.01, -0.005, 0, 0.005, 0.01])
    assert.deepStrictEqual(ticks(-93, 4), [-80, -60, -40, -20, 0])
    assert.deepStrictEqual(ticks(5, 5), [5])
    assert.deepStrictEqual(ticksAround(-2.5, 2.03), [-4, -2, 0, 2, 4])
    assert.deepStrictEqual(ticksAround(0.2, 0.203), [0.2, 0.202, 0.204])
    assert.deepStrictEqual(ticksAround(5, 5), [5, 6])
  })

  it("of a time are hours, days, months or years, each said once", () => {
    const words = (from: string, to: string, wanted = 5) =>
      timeTicks(Date.parse(from), Date.parse(to), wanted).map(([, each]) => each)
    assert.deepStrictEqual(words("2026-11-27T20:30:00Z", "2026-11-28T08:00:00Z"), ["21:00", "28 Nov", "03:00", "06:00"])
    assert.deepStrictEqual(words("2026-11-27", "2026-12-01"), ["27 Nov", "28 Nov", "29 Nov", "30 Nov", "1 Dec"])
    assert.deepStrictEqual(words("2025-11-10", "2026-02-01"), ["Dec 2025", "2026", "Feb"])
    assert.deepStrictEqual(words("2015-01-01", "2027-12-01", 7), ["2016", "2018", "2020", "2022", "2024", "2026"])
  })

  it("of any time are in order, within it, and not many more than wanted", () => {
    FastCheck.assert(
      FastCheck.property(instant, length, FastCheck.integer({ min: 3, max: 7 }), (from, span, wanted) => {
        const all = timeTicks(from, from + span, wanted).map(([at]) => at)
        assert.isAtMost(all.length, wanted + 2)
        for (const [n, at] of all.entries()) {
          assert.isTrue(at >= from && at <= from + span)
          if (n > 0) assert.isAbove(at, all[n - 1]!)
        }
      }),
    )
  })

  it("have words that stand apart on the narrowest plot", () => {
    const word = FastCheck.tuple(
      FastCheck.double({ min: 6, max: 94, noNaN: true }),
      FastCheck.string({ maxLength: 12 }),
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(word), (given) => {
        const shown = apart(given.toSorted(([a], [b]) => a - b))
        for (const [n, [at, words]] of shown.slice(1).entries()) {
          const [before, other] = shown[n]!
          const gap = ((at - before) / 100) * narrowest - ((words.length + other.length) / 2) * letter
          assert.isAtLeast(gap, 3.99)
        }
      }),
    )
  })
})

describe("a number in words", () => {
  it.each([
    [0, "0 %"],
    [0.0004, "< 0.1 %"],
    [0.0123, "1.2 %"],
    [0.314, "31 %"],
    [0.957, "95.7 %"],
    [0.9996, "> 99.9 %"],
    [1, "100 %"],
  ])("%f is %s", (p, text) => {
    assert.strictEqual(percent(p), text)
  })

  it("differs by what is shown of both", () => {
    assert.deepStrictEqual(
      [points(0.314, 0.465), points(0.087, 0.12), points(0.5, 0.503), points(0, 0.016)],
      ["−16", "−3.3", "0", "−1.6"],
    )
  })

  it("has a minus sign, and 0 has none", () => {
    assert.deepStrictEqual(["-0.5", "-0.0000", "0.5", "-10"].map(signed), ["−0.5", "0.0000", "0.5", "−10"])
    assert.deepStrictEqual([plus(0.123, 2), plus(-3, 1), plus(0, 1)], ["+0.12", "−3.0", "0.0"])
  })
})

const drawn = (marks: ReadonlyArray<Mark>, more: Partial<Picture> = {}): string =>
  renderToString(
    plot({
      title: "A picture",
      marks,
      columns: ["Place", "Model"],
      rows: [0, 1, 2].map((at) => ({ at, cells: [`place ${at}`, `${at * 10} %`] })),
      ...more,
    }),
  )

const attributes = (html: string, name: string) =>
  elementsOf(`<!doctype html>${html}`).flatMap((element) => (element.name === name ? [element.attributes] : []))

describe("a picture", () => {
  it("has its title as its name, a line for the crosshair, one key, and a table with the place of each row", () => {
    const html = drawn([
      {
        kind: "line",
        as: "model",
        name: "Model",
        rows: [
          [0, 1],
          [1, 3],
          [2, 2],
        ],
      },
      { kind: "dot", as: "model", rows: [[2, 2]] },
    ])
    assert.include(html, '<figcaption>A picture</figcaption><output aria-live="polite"></output>')
    assert.include(html, 'role="img" aria-label="A picture"')
    assert.strictEqual(html.match(/class="key /g)?.length, 1)
    assert.deepStrictEqual(
      [...html.matchAll(/<tr data-at="([^"]*)">/g)].map(([, at]) => at),
      ["0%", "50%", "100%"],
    )
    assert.notMatch(html, /NaN|Infinity|undefined|null/)
  })

  it("puts values where their axis has them, percent to the right and pixels down", () => {
    const html = drawn(
      [
        {
          kind: "dot",
          as: "model",
          rows: [
            [0, 0],
            [1, 5],
            [2, 10],
          ],
        },
      ],
      { y: { domain: [0, 10] }, height: 100 },
    )
    const dots = attributes(html, "svg").filter(({ "aria-hidden": hidden }) => hidden === "true")
    assert.deepStrictEqual(
      dots.map(({ x, y }) => [x, y]),
      [
        ["0%", "108"],
        ["50%", "58"],
        ["100%", "8"],
      ],
    )
  })

  it("draws what is beyond its axis at the end of it", () => {
    const html = drawn([{ kind: "dot", as: "model", rows: [[1, 99]] }], {
      x: { domain: [0, 2] },
      y: { domain: [0, 10] },
    })
    assert.include(html, '<svg x="50%" y="8"')
  })

  it("has bars as high as their values, from where they begin", () => {
    const html = drawn(
      [
        {
          kind: "bar",
          as: "model",
          rows: [
            [0, 0, 4],
            [1, 4, 6],
            [2, 2, 2],
          ],
        },
      ],
      { y: { domain: [0, 10] }, height: 100 },
    )
    const bars = attributes(html, "rect").filter((each) => each["class"] === "model")
    assert.deepStrictEqual(
      bars.map(({ y, height }) => [y, height]),
      [
        ["68", "40"],
        ["48", "20"],
        ["88", "1"],
      ],
    )
  })

  it("across has a line for each place, with its name, its value and its interval", () => {
    const html = drawn(
      [
        {
          kind: "rule",
          as: "model",
          rows: [
            [0, -1, 1],
            [1, 0, 2],
            [2, -2, 0],
          ],
        },
      ],
      { isAcross: true, x: { domain: [-2, 2] } },
    )
    assert.deepStrictEqual(
      [...html.matchAll(/<tr data-at="([^"]*)">/g)].map(([, at]) => at),
      ["17", "51", "85"],
    )
    const rules = attributes(html, "line").filter((each) => each["class"] === "rule model")
    assert.deepStrictEqual(
      rules.map(({ x1, x2 }) => [x1, x2]),
      [
        ["25%", "75%"],
        ["50%", "100%"],
        ["0%", "50%"],
      ],
    )
    assert.match(html, /<p><span>place 1<\/span> <span>10 %<\/span><\/p>/)
  })

  it("has a scale that is not linear where it is told so", () => {
    const html = drawn([], {
      x: { domain: [0, 100], warp: Math.sqrt },
      rows: [0, 1, 25, 100].map((at) => ({ at, cells: ["", ""] })),
    })
    assert.deepStrictEqual(
      [...html.matchAll(/<tr data-at="([^"]*)">/g)].map(([, at]) => at),
      ["0%", "10%", "50%", "100%"],
    )
  })

  it("leads from its table to the rows behind it", () => {
    assert.include(
      drawn([], { rows: [{ at: 0, cells: ["nfl", "1"], href: "/nfl" }] }),
      '<th scope="row"><a href="/nfl">nfl</a></th>',
    )
  })
})
