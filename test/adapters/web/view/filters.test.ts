import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import {
  endOfDay,
  type Filter,
  Filters,
  Find,
  filteredAddress,
  lastDay,
  makeFilterReader,
  refusal,
  type Wrong,
} from "../../../../adapters/web/view/filters.tsx"

const read = (text: string) => makeFilterReader(new URLSearchParams(text))

describe("reading the filters of an address", () => {
  it("trims texts, and takes an empty one for none", () => {
    const { text } = read("a=+x+&b=+")
    assert.strictEqual(text("a"), "x")
    assert.isUndefined(text("b"))
    assert.isUndefined(text("c"))
  })

  it("takes a value of a list, and refuses another one in the given words", () => {
    const values = new Map([["two", 2]])
    const good = read("n=two")
    assert.strictEqual(good.one("n", values, "No."), 2)
    assert.isUndefined(good.one("m", values, "No."))
    assert.deepStrictEqual(good.wrong, [])
    const bad = read("n=three")
    assert.isUndefined(bad.one("n", values, "No."))
    assert.deepStrictEqual(bad.wrong, [{ field: "n", message: "No." }])
  })

  it("takes days from 1970 to 2999", () => {
    for (const [given, at] of [
      ["1970-01-01", 0],
      ["2026-11-24", Date.UTC(2026, 10, 24)],
      ["2999-12-31", Date.UTC(2999, 11, 31)],
    ] as const) {
      const { day, wrong } = read(`d=${given}`)
      assert.strictEqual(day("d"), at)
      assert.lengthOf(wrong, 0)
    }
    assert.isUndefined(read("").day("d"))
  })

  it.each(["1969-12-31", "3000-01-01", "2026-02-30", "24.11.2026", "today"])("refuses the day %s", (given) => {
    const { day, wrong } = read(`d=${given}`)
    assert.isUndefined(day("d"))
    assert.deepStrictEqual(
      wrong.map(({ field }) => field),
      ["d"],
    )
  })

  it("collects all that is wrong", () => {
    const { day, refuse, wrong } = read("d=never")
    day("d")
    assert.isUndefined(refuse("e", "Neither."))
    assert.deepStrictEqual(
      wrong.map(({ field }) => field),
      ["d", "e"],
    )
  })
})

describe("wrong filters as a failure", () => {
  it("name each field with its message", () => {
    const { code, hints } = refusal([
      { field: "from", message: "Too early." },
      { field: "to", message: "Too late." },
    ])
    assert.strictEqual(code, "invalid_parameter")
    assert.deepStrictEqual(hints, [
      { field: "from", action: "change", suggestion: "from: Too early." },
      { field: "to", action: "change", suggestion: "to: Too late." },
    ])
  })
})

describe("a range of days", () => {
  it("ends with the day after its last one, and is named by the last one", () => {
    const first = Date.UTC(2026, 1, 28)
    assert.strictEqual(endOfDay(first), Date.UTC(2026, 2, 1))
    assert.strictEqual(lastDay(Date.UTC(2026, 2, 1)), "2026-02-28")
  })
})

describe("the address of a page with filters", () => {
  const query = new URLSearchParams("a=+1+&b=&c=3&cursor=9")

  it("keeps the named filters that have a value", () => {
    assert.strictEqual(filteredAddress("/p", query, ["a", "b", "c", "d"]), "/p?a=1&c=3")
  })

  it("has the changes over what it had", () => {
    assert.strictEqual(filteredAddress("/p", query, ["a"], { a: "2", e: "x y" }), "/p?a=2&e=x+y")
  })

  it("is the path alone where nothing is left", () => {
    assert.strictEqual(filteredAddress("/p", query, ["b"]), "/p")
  })
})

const filters: ReadonlyArray<Filter> = [
  {
    name: "status",
    label: "Status",
    all: "any",
    choices: [
      ["ok", "Well"],
      ["bad", "Not well"],
    ],
  },
  {
    name: "by",
    label: "By",
    choices: [
      ["day", "Day"],
      ["hour", "Hour"],
    ],
    initial: "hour",
  },
  { name: "from", label: "From", isDay: true, initial: "2026-11-01" },
  { name: "id", label: "Id" },
]

const shown = (text: string, wrong: ReadonlyArray<Wrong> = []) =>
  renderToStaticMarkup(h(Filters, { filters, query: new URLSearchParams(text), wrong, path: "/list" }))

describe("the form of the filters", () => {
  it("begins with the initial values, and has nothing to clear", () => {
    const html = shown("")
    assert.include(html, '<form class="filters" action="/list" autocomplete="off" data-at-once="true">')
    assert.include(html, '<option value>any</option><option value="ok">Well</option>')
    assert.include(html, '<option value="day">Day</option><option value="hour" selected>Hour</option>')
    assert.include(html, '<input id="filter-from" name="from" type="date" min="1970-01-01" value="2026-11-01"/>')
    assert.include(html, '<input id="filter-id" name="id" type="search" value/>')
    assert.notInclude(html, "chip")
    assert.notInclude(html, "error")
  })

  it("shows the values of the address, and the way back without each of them", () => {
    const html = shown("status=bad&by=day&from=2026-10-02&id=+x+")
    assert.include(html, '<option value="bad" selected>Not well</option>')
    assert.include(html, '<option value="day" selected>Day</option><option value="hour">Hour</option>')
    assert.include(html, 'type="date" min="1970-01-01" value="2026-10-02"')
    assert.include(html, 'type="search" value="x"')
    // What is always chosen is no filter that could be taken away.
    const chips = [...html.matchAll(/<a class="chip" href="([^"]*)"><span class="unseen">Remove <\/span>([^<]*)</g)]
    assert.deepStrictEqual(
      chips.map(([, to, words]) => [to!.replaceAll("&amp;", "&"), words]),
      [
        ["/list?by=day&from=2026-10-02&id=x", "Status: Not well"],
        ["/list?status=bad&by=day&id=x", "From: 2 Oct 2026"],
        ["/list?status=bad&by=day&from=2026-10-02", "Id: x"],
      ],
    )
    assert.include(html, '<a href="/list">Clear all</a>')
    assert.notInclude(shown("id=x"), "Clear all")
  })

  it("says at a field what is wrong with it, and above the fields what belongs to none", () => {
    const html = shown("id=1", [
      { field: "id", message: "Not an id." },
      { field: "id", message: "Not yours." },
      { field: "cursor", message: "Begin again." },
    ])
    assert.include(html, '<p class="error" role="alert">Begin again.</p>')
    assert.include(html, 'id="filter-id" name="id" aria-invalid="true" aria-describedby="filter-id-error"')
    assert.include(html, '<span class="error" id="filter-id-error" role="alert">Not an id. Not yours.</span>')
    assert.notInclude(html, "filter-from-error")
  })
})

describe("the search of a list", () => {
  it("keeps the state of the list where it has one, and has no chip beside its field", () => {
    const form = (state?: string) =>
      renderToStaticMarkup(
        h(Find, { label: "Find keys", path: "/list", query: new URLSearchParams("q=x"), kept: { state } }),
      )
    assert.include(
      form(),
      '<label for="filter-q">Find keys</label><input id="filter-q" name="q" type="search" value="x"/>',
    )
    assert.notInclude(form(), "state")
    assert.notInclude(form(), "chip")
    assert.include(form("ended"), '<input type="hidden" name="state" value="ended"/>')
  })
})
