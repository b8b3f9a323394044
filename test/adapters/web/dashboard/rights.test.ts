import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { isAllowed } from "../../../../adapters/admin/AdminOperation.ts"
import type { Page } from "../../../../adapters/web/dashboard/Page.ts"
import { allPages } from "../../../../adapters/web/dashboard/pages/all.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { ChangeLog } from "../../../../core/people/Change.ts"
import { newestCall } from "../../../support/newestCall.ts"
import { type Running, start } from "../../../support/running.ts"
import { otherAccount, type Seen, signIn, unseen, type Visitor, visitorOf } from "./visitor.ts"

/*
 * Every page by everybody: the expectations are derived from the pages' audience and from the roles that their actions
 * need, so that a new page is held to them too.
 */

const pages = allPages(catalogue)

/** Members by role; operators are members of nothing. */
const roles = {
  anonymous: {},
  viewer: { account: "tester", role: "viewer" },
  owner: { account: "tester", role: "owner" },
  "owner of another account": { account: "other", role: "owner" },
  "operator without an account": { isOperator: true },
  "operator with an account": { account: "tester", isOperator: true },
} as const satisfies Readonly<
  Record<string, { readonly account?: string; readonly role?: "viewer" | "owner"; readonly isOperator?: true }>
>
type Name = keyof typeof roles
const names = Object.keys(roles) as ReadonlyArray<Name>
const roleOf = (
  name: Name,
): { readonly account?: string; readonly role?: "viewer" | "owner"; readonly isOperator?: true } => roles[name]

let running: Running
let visitors: Readonly<Record<Name, Visitor>>
/** What the pages' `:names` are of, in the account tester. */
let things: Readonly<Record<string, string>>

beforeAll(async () => {
  running = await start({ webhooks: { allowHosts: ["127.0.0.1:9"] } })
  await otherAccount(running, "other")
  visitors = {
    anonymous: visitorOf(running.url, "none=0"),
    viewer: await signIn(running, { account: "tester", name: "vic", role: "viewer" }),
    owner: await signIn(running, { account: "tester", name: "Ines" }),
    "owner of another account": await signIn(running, { account: "other", name: "sam" }),
    "operator without an account": await signIn(running, { operator: true, name: "op" }),
    "operator with an account": await signIn(running, { operator: true, name: "ola" }),
  }
  const shown = await visitors["operator with an account"].send(
    `/dashboard/operator/accounts/${running.account.id}`,
    "show",
  )
  assert.strictEqual(shown.status, 303)
  const call = await newestCall(running)
  things = await running.run(
    Effect.gen(function* () {
      const agent = yield* (yield* Agents).create("tester", "bot", {})
      const { webhook } = yield* (yield* Webhooks).create("tester", "http://127.0.0.1:9/", ["agent.budget_warning"])
      return {
        account: running.account.id,
        key: running.account.live.id,
        agent: agent.id,
        webhook: webhook.id,
        endpoint: "weather_signal",
        call,
      }
    }),
  )
}, 120_000)
afterAll(() => running.stop())

const addressOf = ({ path }: Page): string => path.replace(/:(\w+)/g, (_, name: string) => things[name]!)

/** Whether a page is about something that one account has. */
const isOwned = ({ path }: Page): boolean => /:(key|agent|webhook|call)/.test(path)

/** The status of a page, by its audience. */
const expected = (page: Page, name: Name): number => {
  const { account, isOperator } = roleOf(name)
  if (name === "anonymous") return 303
  if (page.audience === "person") return 200
  if (page.audience === "operator") return isOperator === true ? 200 : 404
  // An operator begins with the operators' pages.
  if (account === undefined) return page.path === "/dashboard" ? 303 : 404
  return account !== "tester" && isOwned(page) ? 404 : 200
}

const barredOf = (page: Page, name: Name): ReadonlyArray<string> => {
  const { role, isOperator } = roleOf(name)
  const actor = isOperator === true || role === undefined ? {} : { member: { accountId: "", role } }
  return Object.entries(page.actions ?? {}).flatMap(([action, { verb }]) =>
    verb === undefined || isAllowed(verb, actor) ? [] : [action],
  )
}

const lines = () =>
  running.run(Effect.flatMap(ChangeLog, ({ page }) => Effect.map(page({ limit: 1 }), ([last]) => last?.seq)))

/** The actions of a page's forms. */
const formsOf = ({ html }: Seen): ReadonlyArray<string> =>
  [...html.matchAll(/name="action" value="([^"]*)"/g)].map(([, action]) => action!)

/** The forms of a form id are accepted once. */
let forms = 0

describe.each(names)("%s", (name) => {
  const seen = new Map<Page, Seen>()

  it("sees the pages that are for such a person, and no others", async () => {
    for (const page of pages) seen.set(page, await visitors[name].get(addressOf(page)))
    assert.deepStrictEqual(
      [...seen].map(([{ path }, { status }]) => [path, status]),
      pages.map((page) => [page.path, expected(page, name)]),
    )
  })

  it("is told who may do what it may not, and sees no form of it", () => {
    for (const [page, view] of seen) {
      if (view.status !== 200) continue
      const barred = barredOf(page, name)
      for (const action of barred) assert.notInclude(formsOf(view), action, page.path)
      const notice = /Only owners can ([^<]+)\. Ask ([^<]+)\.</.exec(view.html)
      assert.strictEqual(notice?.[2], barred.length === 0 ? undefined : "Ines", page.path)
    }
  })

  it("sends every form empty: none fails, and nothing changes where it may not", async () => {
    const { html } = await visitors[name].get(name === "anonymous" ? "/dashboard/enter" : "/dashboard/sessions")
    for (const page of pages) {
      for (const action of Object.keys(page.actions ?? {})) {
        const before = await lines()
        const form_id = String(++forms).padStart(26, "0")
        const form = name === "anonymous" ? new URLSearchParams({ action, form_id }) : unseen(html, action, { form_id })
        const { status } = await visitors[name].post(addressOf(page), form)
        const of = `${action} of ${page.path}`
        assert.isBelow(status, 500, of)
        if (expected(page, name) === 200 && !barredOf(page, name).includes(action)) continue
        assert.strictEqual(status, name === "anonymous" ? 303 : 404, of)
        assert.strictEqual(await lines(), before, of)
      }
    }
  })
})

it("a viewer reads who makes keys before a form is filled in", async () => {
  const { html } = await visitors.viewer.get("/dashboard/keys/new")
  assert.include(html, "Only owners can create an API key. Ask Ines.")
  assert.notInclude(html, 'value="create"')
})
