import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup as html } from "preact-render-to-string"
import { Code, Facts, Inline, List, numeric, State, Table } from "../../../../adapters/web/view/parts.tsx"

describe("a state", () => {
  it("has a shape beside its words, and the name under which script finds it", () => {
    const is = { tone: "stopped", label: "failed" } as const
    assert.strictEqual(
      html(h(State, { is })),
      '<span class="badge stopped"><span aria-hidden="true">■</span> failed</span>',
    )
    assert.strictEqual(
      html(h(State, { is, live: "x" })),
      '<span class="badge stopped" data-live="x"><span aria-hidden="true">■</span> <span>failed</span></span>',
    )
  })
})

describe("facts", () => {
  it("leave out what is false, and nothing else", () => {
    assert.strictEqual(
      html(h(Facts, { of: { A: 0, B: false, C: "" } })),
      '<dl class="facts"><dt>A</dt><dd>0</dd><dt>C</dt><dd></dd></dl>',
    )
  })
})

describe("a table", () => {
  const table = (more = {}) =>
    html(h(Table, { caption: "All", columns: ["Name", numeric("Size")], rows: [["a", 1]], ...more }))

  it("names each row by its first cell, and aligns numbers", () => {
    assert.strictEqual(
      table(),
      '<section class="scroll" tabindex="0" aria-label="All"><table><caption>All</caption>' +
        '<thead><tr><th scope="col">Name</th><th scope="col" class="number">Size</th></tr></thead>' +
        '<tbody><tr><th scope="row">a</th><td class="number">1</td></tr></tbody></table></section>',
    )
  })

  it("may have a total, and a limited height", () => {
    assert.include(table({ isLong: true }), '<section class="scroll long"')
    assert.include(
      table({ total: ["Total", 1] }),
      '<tfoot><tr><th scope="row">Total</th><td class="number">1</td></tr></tfoot>',
    )
  })
})

describe("a list", () => {
  const list = (rows: ReadonlyArray<number>, withSquare: boolean, empty?: string) =>
    html(
      h(List<number>, {
        caption: "All",
        rows,
        columns: [
          ["At", (_, at) => at],
          ["Value", (value) => value],
          withSquare && ["Square", (value) => value * value],
        ],
        ...(empty === undefined ? {} : { empty }),
      }),
    )

  it("has the cells of each row, without the columns that are false", () => {
    assert.include(list([7, 8], true), '<td data-label="Value">8</td><td data-label="Square">64</td></tr></tbody>')
    assert.include(list([7, 8], false), '<th scope="row">1</th><td data-label="Value">8</td></tr></tbody>')
    assert.notInclude(list([7], false), "Square")
  })

  it("without rows is what is said then, or a table without rows", () => {
    assert.strictEqual(list([], false, "Nothing."), "<p>Nothing.</p>")
    assert.include(list([], false), "<tbody></tbody>")
    assert.notInclude(list([1], false, "Nothing."), "Nothing.")
  })
})

describe("a sentence", () => {
  const inline = (text: string) => html(h("p", null, h(Inline, { text }))).slice(3, -4)

  it("has code and bold text where its marks are, and the text between them", () => {
    assert.strictEqual(
      inline("Send `a` or **b c**, then `d`."),
      "Send <code>a</code> or <strong>b c</strong>, then <code>d</code>.",
    )
    assert.strictEqual(inline("`a`"), "<code>a</code>")
  })

  it("stays as it is without marks, or with half of them, and is no markup", () => {
    assert.strictEqual(inline("plain <b>"), "plain &lt;b>")
    assert.strictEqual(inline("one ` and ** alone"), "one ` and ** alone")
    assert.strictEqual(inline(""), "")
  })
})

describe("a text", () => {
  it("of code scrolls by itself when it has a label", () => {
    assert.strictEqual(html(h(Code, { text: "a < b" })), "<pre><code>a &lt; b</code></pre>")
    assert.strictEqual(
      html(h(Code, { text: "a", label: "Sample" })),
      '<section class="long" tabindex="0" aria-label="Sample"><pre><code>a</code></pre></section>',
    )
  })
})
