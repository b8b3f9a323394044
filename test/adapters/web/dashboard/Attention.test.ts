import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import { attention, type Named, stopped } from "../../../../adapters/web/condition/Condition.ts"
import { Attention, lines } from "../../../../adapters/web/dashboard/Attention.tsx"
import * as values from "../../../../adapters/web/dashboard/live/values.ts"

const named = (count: number): ReadonlyArray<Named> =>
  Array.from({ length: count }, (_, at) => ({ name: `thing ${at}`, condition: stopped("failed", `cause ${at}`) }))

const shown = (of: ReadonlyArray<Named>) => renderToStaticMarkup(h(Attention, { of, href: "/here" }))

describe("the list of what needs attention", () => {
  it("is one quiet line where nothing does", () => {
    assert.strictEqual(shown([]), '<p class="soft">Nothing needs attention.</p>')
  })

  it("says of each what is wrong, and where it is mended if that is known", () => {
    const html = shown([
      { name: "Wallet", condition: attention("low", "2.00 USD left", { label: "Top up", href: "/top" }) },
      { name: "Account", condition: stopped("suspended", "since today") },
    ])
    assert.include(html, '</span> low</span> <strong>Wallet</strong>: 2.00 USD left. <a href="/top">Top up</a></li>')
    assert.include(html, "</span> suspended</span> <strong>Account</strong>: since today.</li>")
  })

  it("names as many as it has lines, and counts the others", () => {
    const all = shown(named(lines))
    assert.lengthOf(all.match(/<li>/g)!, 5)
    assert.notInclude(all, "more.")
    const more = shown(named(lines + 1))
    assert.lengthOf(more.match(/<li>/g)!, 5)
    assert.include(more, "And 1 more.")
    assert.notInclude(more, "thing 5")
  })

  it("says that it has changed once script finds another value than it was made with", () => {
    const is = values.attention(named(1))
    const html = renderToStaticMarkup(h(Attention, { of: named(1), is, href: "/here" }))
    assert.include(html, 'data-live-unless="attention=thing 0: failed" hidden')
    assert.include(html, '<a href="/here">Show it</a>')
    assert.notInclude(shown(named(1)), "data-live-unless")
  })
})
