import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { h } from "preact"
import { emptySite, Site } from "../../../../adapters/server/http/Site.ts"
import { formsTo, goTo, headers, html, refused, retryAfter, route } from "../../../../adapters/web/dashboard/answers.ts"
import { fail } from "../../../../core/Failure.ts"

const textOf = ({ body }: ReturnType<typeof html>): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

describe("an answer of the dashboard", () => {
  it("is kept by nobody and by no other site", () => {
    assert.deepInclude(headers, {
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    })
  })

  it("that is a page has these headers, its status and those of its own", () => {
    const page = html("<p>", 404, { "retry-after": "3" })
    assert.strictEqual(page.status, 404)
    assert.deepInclude(page.headers, { "cache-control": "no-store", "retry-after": "3" })
    assert.strictEqual(html("<p>").status, 200)
    assert.strictEqual(textOf(html("<p>")), "<p>")
  })

  it("that leads on is seen with GET", () => {
    const { status, headers: own } = goTo("/dashboard", { "set-cookie": "a=b" })
    assert.strictEqual(status, 303)
    assert.deepInclude(own, { location: "/dashboard", "cache-control": "no-store", "set-cookie": "a=b" })
  })
})

describe("the policy of a page", () => {
  const view = { title: "", body: h("p", null) }

  it("is its own where its forms lead to other origins", () => {
    assert.deepStrictEqual(formsTo(view), {})
    assert.deepStrictEqual(formsTo({ ...view, formsTo: [] }), {})
    assert.include(
      formsTo({ ...view, formsTo: ["https://pay.example"] })["content-security-policy"],
      "https://pay.example",
    )
  })
})

describe("when a browser may come back", () => {
  it("is in whole seconds, never too early", () => {
    const wait = (retryAfterMs?: number) =>
      retryAfter(fail("rate_limit_exceeded", retryAfterMs === undefined ? {} : { retryAfterMs }))
    assert.deepStrictEqual(wait(), {})
    assert.deepStrictEqual(wait(2_000), { "retry-after": "2" })
    assert.deepStrictEqual(wait(2_001), { "retry-after": "3" })
    assert.deepStrictEqual(wait(0), { "retry-after": "0" })
  })
})

describe("a failure as a page", () => {
  const page = (failure: ReturnType<typeof fail>) => Effect.provideService(refused(failure), Site, emptySite)

  it.effect("has the status of the failure and a title for it", () =>
    Effect.gen(function* () {
      for (const [failure, status, title] of [
        [fail("not_found"), 404, "Page not found"],
        [fail("storage_unavailable", { retryAfterMs: 900 }), 503, "The store is busy"],
        [fail("invalid_parameter"), 400, "That did not work"],
      ] as const) {
        const answer = yield* page(failure)
        assert.strictEqual(answer.status, status)
        assert.include(textOf(answer), `<h1>${title}</h1>`)
        assert.strictEqual(answer.headers["retry-after"], status === 503 ? "1" : undefined)
      }
    }),
  )
})

describe("a route of the dashboard", () => {
  it("is for browsers, and needs no key", () => {
    const app = Effect.succeed(html(""))
    assert.deepStrictEqual(route("POST", "/dashboard/x", app), {
      method: "POST",
      path: "/dashboard/x",
      auth: "none",
      types: ["text/html"],
      limit: "requests",
      handler: { _tag: "App", app },
    })
  })
})
