import { assert, describe, it } from "@effect/vitest"
import { renderToStaticMarkup } from "preact-render-to-string"
import { emptySite } from "../../../../adapters/server/http/Site.ts"
import { alreadySentView, refusedView } from "../../../../adapters/web/dashboard/Refused.tsx"
import { fail } from "../../../../core/Failure.ts"

const everything = { served: () => true }

const refused = (failure: ReturnType<typeof fail>, site = emptySite) =>
  renderToStaticMarkup(refusedView("A title", failure, site).body)

describe("why something was refused", () => {
  it("is said with its hints, under the given title", () => {
    const failure = fail("invalid_parameter", {
      detail: "Two are wrong.",
      hints: [
        { field: "a", action: "change", suggestion: "a: change it." },
        { field: "b", action: "remove", suggestion: "b: remove it." },
      ],
    })
    assert.strictEqual(refusedView("A title", failure, emptySite).title, "A title")
    const html = refused(failure, everything)
    assert.include(html, "<p>Two are wrong.</p><ul><li>a: change it.</li><li>b: remove it.</li></ul>")
    assert.include(html, '<a href="/dashboard">Back to overview</a>')
    assert.notInclude(html, "/status")
  })

  it("is not said twice of what is not there, but for a detail, and other places are offered", () => {
    assert.notInclude(refused(fail("not_found"), everything), "No such path")
    const html = refused(fail("not_found", { detail: "There is no such key." }), everything)
    assert.include(html, "<p>There is no such key.</p>")
    assert.include(html, '<a href="/status">Status</a>')
  })
})

const used = (verb: string, subject: string) =>
  renderToStaticMarkup(
    alreadySentView({ verb, subject, at: Date.UTC(2026, 10, 24, 9, 7, 5), who: "per_1", seq: 1 }, "/dashboard/keys/new")
      .body,
  )

describe("a form that was already sent", () => {
  it("says what it did and when, and leads back to a new one", () => {
    const html = used("keys_revoke", "key_1")
    assert.include(html, ">24 Nov 2026, 09:07:05 UTC</time> (key revoked: ")
    assert.include(html, '<a href="/dashboard/keys/key_1">key_1</a>). Sending it again changed nothing.')
    assert.include(html, '<a href="/dashboard/keys/new">Back to the page, with a new form</a>')
    assert.notInclude(html, "notice")
    assert.notInclude(html, "button")
  })

  it("links to agents and webhooks too, and shows another subject as it is", () => {
    assert.include(used("agents_pause", "agt_1"), 'href="/dashboard/agents/agt_1"')
    assert.include(used("webhooks_pause", "whk_1"), 'href="/dashboard/webhooks/whk_1"')
    assert.include(used("people_remove", "per_2"), "person removed: <code>per_2</code>).")
  })

  it("says what to do about a text that was shown once", () => {
    assert.include(used("keys_create", "key_1"), '<p class="notice">It was shown once, in the first answer.')
    assert.include(used("people_invite", "x"), "It was shown once")
    assert.notInclude(used("keys_pause", "key_1"), "shown once")
  })

  it("leads on to the payment of an order", () => {
    assert.match(used("orders_begin", "ord_1"), /<a class="button" href="[^"]*\?left=ord_1">Continue to payment<\/a>/)
  })
})
