import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import { ModeSwitch, modeIn, modes, withMode } from "../../../../adapters/web/dashboard/mode.tsx"
import { visit } from "./visit.ts"

const links = (query: string) =>
  [
    ...renderToStaticMarkup(
      h(ModeSwitch, { path: "/dashboard/calls", visit: visit({ query: new URLSearchParams(query) }) }),
    ).matchAll(/<a href="([^"]*)"( aria-current="true")?>([^<]*)</g),
  ].map(([, to, isShown, words]) => `${isShown === undefined ? "" : "*"}${words}: ${to!.replaceAll("&amp;", "&")}`)

describe("the switch between live and test keys", () => {
  it("keeps the page and its filters, and not the place in a list", () => {
    assert.deepStrictEqual(links("status=429&cursor=x&mode=live"), [
      "All keys: /dashboard/calls?status=429",
      "*Live: /dashboard/calls?status=429&mode=live",
      "Test: /dashboard/calls?status=429&mode=test",
    ])
  })

  it("counts the calls of live keys, or of test keys", () => {
    assert.deepStrictEqual(
      ["live", "test", "both"].map((mode) => modes.get(mode)),
      [true, false, undefined],
    )
  })

  it("is at both where the address has none or a wrong one", () => {
    for (const query of ["", "mode=", "mode=both"]) assert.strictEqual(links(query)[0], "*All keys: /dashboard/calls")
    assert.isUndefined(modeIn(new URLSearchParams("mode=Live")))
  })

  it("stays while one goes from page to page", () => {
    const query = new URLSearchParams("mode=test&status=429")
    assert.strictEqual(withMode("/dashboard/usage", query), "/dashboard/usage?mode=test")
    assert.strictEqual(withMode("/dashboard/usage?by=hour", query), "/dashboard/usage?by=hour&mode=test")
    assert.strictEqual(withMode("/dashboard/usage", new URLSearchParams()), "/dashboard/usage")
  })
})
