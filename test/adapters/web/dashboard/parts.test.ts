import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup as html } from "preact-render-to-string"
import {
  agentLink,
  Confirm,
  Contact,
  Environment,
  Id,
  Now,
  Secret,
  Time,
} from "../../../../adapters/web/dashboard/parts.tsx"

const at = Date.UTC(2026, 10, 24, 9, 7, 5)

describe("a time", () => {
  it("has its exact value, and its seconds where they are asked for", () => {
    const iso = "2026-11-24T09:07:05.000Z"
    const exact = (shown: string) => `<time datetime="${iso}" title="24 Nov 2026, 09:07:05 UTC">${shown}</time>`
    assert.strictEqual(html(h(Time, { at })), exact("24 Nov 2026, 09:07 UTC"))
    assert.strictEqual(html(h(Time, { at: iso, isExact: true })), exact("24 Nov 2026, 09:07:05 UTC"))
  })

  it("is an age where one knows when the page was made, up to two days before and after", () => {
    const shownAt = (now: number) => html(h(Now.Provider, { value: now, children: h(Time, { at }) }))
    const cases = [
      [30_000, "just now"],
      [-30_000, "in a minute"],
      [60_000, "1 min ago"],
      [3_599_999, "59 min ago"],
      [47 * 3_600_000, "47 h ago"],
      [-3 * 3_600_000, "in 3 h"],
    ] as const
    for (const [age, text] of cases) {
      assert.match(shownAt(at + age), new RegExp(`title="24 Nov 2026, 09:07:05 UTC" class="age">${text}</time>$`))
    }
    assert.include(shownAt(at + 48 * 3_600_000), ">24 Nov 2026, 09:07 UTC</time>")
    assert.notInclude(shownAt(at + 48 * 3_600_000), "age")
  })

  it("of what has not happened is a dash; the first instant of all is a time", () => {
    assert.strictEqual(html(h(Time, { at: undefined })), "–")
    assert.include(html(h(Time, { at: 0 })), "1 Jan 1970, 00:00 UTC")
  })
})

describe("a link to an agent", () => {
  const link = (id: string | undefined) =>
    html(h("p", null, agentLink(id, { agents: new Map([["agt_1", "nightly"]]) }))).slice(3, -4)

  it("has its name, its id where the name is not known, and is none without an agent", () => {
    assert.strictEqual(link("agt_1"), '<a href="/dashboard/agents/agt_1">nightly</a>')
    assert.strictEqual(link("agt_2"), '<a href="/dashboard/agents/agt_2">agt_2</a>')
    assert.strictEqual(link(undefined), "none")
  })
})

describe("an environment", () => {
  it("is told by word and shape", () => {
    assert.strictEqual(
      html(h(Environment, { name: "live" })),
      '<span class="badge good"><span aria-hidden="true">●</span> live</span>',
    )
    assert.strictEqual(
      html(h(Environment, { name: "test" })),
      '<span class="badge test"><span aria-hidden="true">◌</span> test</span>',
    )
  })
})

describe("the field that confirms", () => {
  it("says what to type and how much of it, where that is given", () => {
    const bare = html(h(Confirm, { label: "Name" }))
    assert.notInclude(bare, "maxlength")
    assert.notInclude(bare, "confirm-help")
    assert.include(bare, "required")
    const full = html(h(Confirm, { label: "Name", most: 9 }, "Type the name."))
    assert.match(full, /maxlength="9" aria-describedby="confirm-help"/)
    assert.include(full, '<small id="confirm-help">Type the name.</small>')
  })
})

describe("a text that is shown once", () => {
  it("stands under what is to be done with it, and is no markup", () => {
    assert.strictEqual(
      html(h(Secret, { text: "<b>", children: "Save it." })),
      '<section class="notice" aria-label="Shown once"><p><strong>Save it.</strong></p><pre><code class="secret">&lt;b></code></pre></section>',
    )
  })
})

describe("an id", () => {
  it("is shown by its ends where it is long, and copied whole", () => {
    assert.strictEqual(html(h(Id, { of: "txn_1" })), '<code title="txn_1" data-copy="txn_1">txn_1</code>')
    assert.include(html(h(Id, { of: "txn_0123456789ABC" })), ' data-copy="txn_0123456789ABC">txn_0…89ABC</code>')
  })
})

describe("whom to ask", () => {
  const contact = (given: string) => html(h("p", null, h(Contact, { contact: given })))

  it("is the operator's address, shown without its scheme if it is of mail", () => {
    assert.include(contact("mailto:a@b.example"), '<a href="mailto:a@b.example">a@b.example</a>')
    assert.include(contact("https://b.example/help"), '<a href="https://b.example/help">https://b.example/help</a>')
  })
})
