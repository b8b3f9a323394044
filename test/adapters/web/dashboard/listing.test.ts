import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import {
  cursorOf,
  listAddress,
  Older,
  Pager,
  type Shown,
  shownBy,
} from "../../../../adapters/web/dashboard/listing.tsx"

const by = (text: string) => shownBy(new URLSearchParams(text))

describe("the part of a list that an address shows", () => {
  it("is the newest of those in use, where the address says nothing", () => {
    assert.deepStrictEqual(by(""), { text: "", isOpen: true })
  })

  it("has the text without spaces around it, and 64 characters of it at most", () => {
    assert.strictEqual(by("q=++night+ly+").text, "night ly")
    assert.strictEqual(by(`q=${"a".repeat(64)}`).text.length, 64)
    assert.strictEqual(by(`q=${"a".repeat(65)}`).text.length, 64)
  })

  it("is of ended rows for that state alone, and begins after a given one", () => {
    assert.deepStrictEqual(by("state=ended&cursor=k1"), { text: "", isOpen: false, cursor: "k1" })
    assert.isTrue(by("state=other").isOpen)
  })
})

describe("the address of a part of a list", () => {
  it("is the path alone for the first page", () => {
    assert.strictEqual(listAddress("/list", { text: "", isOpen: true }), "/list")
  })

  it("says what is searched for, which state it is, and where it begins, and is read back", () => {
    const shown: Shown = { text: "a b", isOpen: false, cursor: "k1" }
    const address = listAddress("/list", shown)
    assert.strictEqual(address, "/list?q=a+b&state=ended&cursor=k1")
    assert.deepStrictEqual(by(address.split("?")[1]!), shown)
  })
})

const pager = (shown: Shown, last?: string) =>
  [
    ...renderToStaticMarkup(h(Pager, { path: "/list", shown, what: "keys", last })).matchAll(
      /<a href="([^"]*)">([^<]*)</g,
    ),
  ].map(([, href, text]) => `${text}: ${href!.replaceAll("&amp;", "&")}`)

describe("the links to other parts of a list", () => {
  it("are none where all rows fit on the first page", () => {
    assert.deepStrictEqual(pager({ text: "", isOpen: true }), [])
  })

  it("lead on from the last row, with the same search", () => {
    assert.deepStrictEqual(pager({ text: "x", isOpen: true }, "k9"), ["Older keys: /list?q=x&cursor=k9"])
  })

  it("lead back to the newest from a later page", () => {
    assert.deepStrictEqual(pager({ text: "", isOpen: true, cursor: "k9" }, "k5"), [
      "Newest: /list",
      "Older keys: /list?cursor=k5",
    ])
  })

  it("lead from ended rows to those in use", () => {
    assert.deepStrictEqual(pager({ text: "x", isOpen: false, cursor: "k9" }), [
      "Newest: /list?q=x&state=ended",
      "Show active: /list?q=x",
    ])
  })
})

describe("a page of a verb's list", () => {
  it("begins where its address says", () => {
    assert.deepStrictEqual(cursorOf({ query: new URLSearchParams("cursor=c1") }), { cursor: "c1" })
    assert.deepStrictEqual(cursorOf({ query: new URLSearchParams() }), {})
  })

  it("leads to the next one where there is one", () => {
    const older = (next: string | undefined) =>
      renderToStaticMarkup(h(Older, { path: "/people", what: "people", next }))
    assert.strictEqual(older("a/b"), '<p class="actions"><a href="/people?cursor=a%2Fb">Older people</a></p>')
    assert.strictEqual(older(undefined), "")
  })
})
