import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { h } from "preact"
import { emptySite } from "../../../../adapters/server/http/Site.ts"
import { framed, plain } from "../../../../adapters/web/dashboard/Frame.tsx"
import type { Page, Visit } from "../../../../adapters/web/dashboard/Page.ts"
import { isFor } from "../../../../adapters/web/dashboard/rights.ts"
import { visit } from "./visit.ts"

const view = { title: "Keys", body: h("p", null, "The body.") }

const page = (path: Page["path"], audience: Page["audience"], label?: string): Page => ({
  path,
  audience,
  ...(label === undefined ? {} : { label }),
  view: () => Effect.succeed(view),
})

const pages = [
  page("/dashboard", "account", "Overview"),
  page("/dashboard/keys", "account", "Keys"),
  page("/dashboard/keys/:key", "account"),
  page("/dashboard/sessions", "person", "Sessions"),
  page("/dashboard/operator", "operator", "Operator"),
]

const operator = visit()
const { account: _, ...homeless } = operator
const member = (role?: "owner"): Visit => {
  const { person, ...session } = operator.session
  return {
    ...operator,
    actor: { who: person.id, member: { accountId: "acc_1", role: role ?? "viewer" } },
    session: { ...session, person: { ...person, isOperator: false }, ...(role === undefined ? {} : { role }) },
  }
}

const shown = (who: Visit, path: Page["path"] = "/dashboard/keys", contact?: string) =>
  framed(emptySite, pages, pages.find((each) => each.path === path) ?? page(path, "account"), who, view, contact)

const links = (html: string) => [...html.matchAll(/<li><a href="(\/dashboard[^"]*)"/g)].map(([, to]) => to)

describe("whom a page is for", () => {
  it("is everybody, operators, or whoever has an account", () => {
    const [account, , , person, operators] = pages
    const cases: ReadonlyArray<readonly [Visit, ReadonlyArray<boolean>]> = [
      [operator, [true, true, true]],
      [homeless, [false, true, true]],
      [member(), [true, true, false]],
    ]
    for (const [who, expected] of cases) {
      assert.deepStrictEqual([isFor(account!, who), isFor(person!, who), isFor(operators!, who)], expected)
    }
  })
})

describe("the frame of a page", () => {
  it("links to the pages with a label that are for the person", () => {
    assert.deepStrictEqual(links(shown(member())), ["/dashboard", "/dashboard/keys", "/dashboard/sessions"])
    assert.deepStrictEqual(links(shown(homeless)), ["/dashboard/sessions", "/dashboard/operator"])
  })

  it("marks the page itself, and the one that it is under; the first page is above none", () => {
    assert.include(shown(operator), '<a href="/dashboard/keys" aria-current="page">')
    const under = shown(operator, "/dashboard/keys/:key")
    assert.include(under, '<a href="/dashboard/keys" aria-current="true">')
    assert.include(under, '<a href="/dashboard">')
    assert.notInclude(shown(operator, "/dashboard/keysets"), 'href="/dashboard/keys" aria-current')
  })

  it("says who is signed in, in which account, and how old the page is", () => {
    assert.include(shown(operator), "<strong>tester</strong>")
    assert.include(shown(operator), "ann, operator</span>")
    assert.match(shown(operator), /data-live-account="acc_1" data-live-at="\d+">As of 21:05 UTC<\/p>/)
    assert.include(shown(member("owner")), "ann, owner</span>")
    assert.include(shown(member()), ">ann</span>")
    const without = shown(homeless)
    assert.include(without, "No account")
    assert.notInclude(without, "data-live-account")
  })

  it("shows that an account is suspended, and whom to ask", () => {
    assert.include(shown(operator), 'data-live-unless="suspended=no" hidden')
    const suspended = visit({ account: { ...operator.account, suspendedAt: Date.UTC(2026, 10, 23) } })
    const html = shown(suspended, "/dashboard", "mailto:a@b.example")
    assert.include(html, 'data-live-unless="suspended=no">')
    assert.include(html, '<span data-live="suspended">23 Nov 2026, 00:00 UTC</span>')
    assert.include(html, '<a href="mailto:a@b.example">a@b.example</a>')
  })

  it("says what somebody may not do here", () => {
    assert.notInclude(shown(operator), '<p class="notice">')
    const barred = visit({ barred: { actions: ["create"], does: ["create a key"], owners: ["bob"] } })
    assert.match(shown(barred), /<p class="notice">[^<]*create a key[^<]*bob/)
  })

  it("is left out without a session", () => {
    const html = plain(emptySite, view)
    assert.include(html, "<title>Keys · market-signals</title>")
    assert.include(html, "<h1>Keys</h1><p>The body.</p>")
    assert.notInclude(html, "Sign out")
  })
})
