import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ready } from "../../../../../../adapters/server/http/health.ts"
import { newest } from "../../../../../../adapters/store/schema/migrate.ts"
import type { Operation } from "../../../../../../adapters/web/dashboard/Operation.ts"
import { Accounts } from "../../../../../../core/account/Accounts.ts"
import { Agents } from "../../../../../../core/account/Agents.ts"
import { MicroUsd } from "../../../../../../core/account/Money.ts"
import { Webhooks } from "../../../../../../core/events/Webhooks.ts"
import { ChangeLog } from "../../../../../../core/people/Change.ts"
import { People } from "../../../../../../core/people/People.ts"
import { RecordLog } from "../../../../../../core/record/log/RecordLog.ts"
import { aSecond } from "../../../../../support/clock.ts"
import { jobOf, operationOf } from "../../../../../support/operation.ts"
import { leaf } from "../../../../../support/record.ts"
import { type Running, start } from "../../../../../support/running.ts"
import { hidden, otherAccount, signIn, type Visitor } from "../../visitor.ts"

let running: Running
let operator: Visitor
let owner: Visitor
let other: Awaited<ReturnType<typeof otherAccount>>
/** Ends the run of the job `long`. */
let finish: () => void

const parts = ["", "/service", "/deliveries", "/store", "/changes"].map((each) => `/dashboard/operator${each}`)
const service = parts[1]!
const pageOf = (account: string) => `/dashboard/operator/accounts/${account}`

beforeAll(async () => {
  const held = await Effect.runPromise(Deferred.make<void>())
  finish = () => Effect.runSync(Deferred.succeed(held, undefined))
  const jobs = [
    jobOf("retention", Effect.succeed("deleted 7 replies")),
    jobOf("broken", Effect.fail({ _tag: "Broken", message: "<b>no</b>" })),
    jobOf("long", Effect.as(Deferred.await(held), "done")),
  ]
  const operation: Operation = {
    ...(await Effect.runPromise(operationOf(jobs))),
    ready: Effect.map(ready, ({ report }) => ({
      report: {
        ...report,
        status: "degraded",
        lanes: [
          {
            ...{
              lane: "weather",
              state: "down",
              since: "2026-07-09T12:00:00.000Z",
              detail: "No answer from a.example.",
            },
            ...{ last_good_at: null, age_seconds: null, stale: true },
          },
        ],
        jobs: [{ name: "broken", state: "failed", last_ok_at: null, overdue: true }],
      },
    })),
    modes: { weather: "live", crypto: "mock" },
  }
  running = await start({ webhooks: { allowHosts: ["127.0.0.1:9"] } }, { operation })
  other = await otherAccount(running, "other")
  operator = await signIn(running, { operator: true, name: "op" })
  owner = await signIn(running, { account: "other", name: "olga" })
}, 120_000)
afterAll(() => running.stop())

/** A person of the account, who came in. */
const invited = (n: number) =>
  Effect.gen(function* () {
    const { invite, acceptInvitation: enter } = yield* People
    const guest = { account: "other", name: `m ${n}`, role: "viewer", isOperator: false, invitedBy: "test" } as const
    const { code } = yield* invite({ ...guest, lifeMs: 60_000 })
    yield* enter(Redacted.value(code), {})
  })

const lines = () => running.run(Effect.flatMap(ChangeLog, ({ page }) => page({ limit: 1_000 })))

/** Opens a page until it says something: a job runs beside the answer. */
const shows = async (path: string, text: string): Promise<string> => {
  for (;;) {
    const { html } = await operator.get(path)
    if (html.includes(text)) return html
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe("the operator's pages", () => {
  it("are for operators alone, and lead to each other", async () => {
    for (const path of parts) {
      assert.strictEqual((await owner.get(path)).status, 404, path)
      const { status, html } = await operator.get(path)
      assert.strictEqual(status, 200, path)
      for (const each of parts) if (each !== path) assert.include(html, `href="${each}"`, path)
    }
  })

  it("find an account by a part of its name, with its wallet", async () => {
    const { html } = await operator.get("/dashboard/operator?q=TEST")
    assert.include(html, "tester")
    assert.include(html, "1.00 USD")
    assert.notInclude(html, other.id)
    // A search says how far it looked; the whole list has nothing to say of that.
    assert.include(html, "accounts were searched.")
    assert.notInclude((await operator.get("/dashboard/operator")).html, "accounts were searched.")
    assert.include((await operator.get("/dashboard/operator?q=%25")).html, "No accounts match your search.")
  })

  it("show lanes as the status page does, and jobs with their last run", async () => {
    const { html } = await operator.get(service)
    const said = [
      "1 of 2 lanes is down.",
      "Down since 9 Jul 2026, 12:00 UTC",
      "No answer from a.example.",
      "Crypto",
      "Sample data",
      "retention",
      "never run",
      "not run yet",
      "03:10 UTC",
    ]
    for (const text of [...said, "overdue"]) {
      assert.include(html, text)
    }
  })
})

describe("a job", () => {
  it("is begun by a form, once, and its end is shown as text", async () => {
    const body = hidden((await operator.get(service)).html, "run")
    body.set("job", "broken")
    const begun = await operator.post(service, body)
    assert.deepStrictEqual([begun.status, begun.headers.get("location")], [303, `${service}?job=broken`])
    const html = await shows(`${service}?job=broken`, "Runs of broken")
    assert.include(html, "Does broken.")
    assert.include(await shows(service, "Broken: &lt;b>no&lt;/b>"), "failed")
    assert.notInclude(html, "<b>no")
    const before = (await lines()).length
    const again = await operator.post(service, body)
    assert.notStrictEqual(again.status, 303)
    assert.strictEqual((await lines()).length, before)
    assert.deepInclude((await lines())[0], { verb: "job_run", subject: "broken", name: "op" })
    assert.strictEqual([...(await operator.get(`${service}?job=broken`)).html.matchAll(/Broken: /g)].length, 2)
  })

  it("that runs is not begun again, and one that is not there begins nothing", async () => {
    assert.strictEqual((await operator.send(service, "run", { job: "long" })).status, 303)
    await shows(service, "running")
    const busy = await operator.send(service, "run", { job: "long" })
    assert.strictEqual(busy.status, 422)
    assert.include(busy.html, "long is running already.")
    finish()
    await shows(service, "done")
    assert.strictEqual((await operator.send(service, "run", { job: "nothing" })).status, 422)
    assert.strictEqual((await owner.send("/dashboard/people", "invite", { action: "run" })).status, 400)
  })
})

describe("deliveries and the store", () => {
  it("show whose deliveries wait", async () => {
    await running.run(
      Effect.gen(function* () {
        const { create } = yield* Webhooks
        const agents = yield* Agents
        const { webhook } = yield* create("tester", "http://127.0.0.1:9/x", ["agent.budget_warning"])
        yield* agents.create("tester", "bot", { monthlyCap: MicroUsd(10_000) })
        yield* (yield* Webhooks).test(webhook.id)
      }),
    )
    const { html } = await operator.get(parts[2]!)
    assert.match(html, /<dt>On their way<\/dt><dd>1, the first due/)
    assert.include(html, "127.0.0.1:9")
    assert.include(html, `/dashboard/operator/accounts/${running.account.id}`)
    assert.include(html, "No failed deliveries.")
  })

  it("show the record with what is not signed, the store, and what is deleted", async () => {
    await running.run(Effect.flatMap(RecordLog, ({ append }) => append([leaf(1), leaf(2)])))
    const { html } = await operator.get(parts[3]!)
    assert.include(html, "<dt>Entries</dt><dd>2</dd>")
    assert.include(html, "none yet")
    assert.include(html, "2 entries")
    assert.include(html, "SQLite 3.")
    assert.include(html, `<dt>Schema</dt><dd>${newest}</dd>`)
    assert.include(html, "Does retention.")
    assert.notInclude(html, "Does broken.")
  })
})

describe("looking at an account", () => {
  it("leaves a line, which the account's people see", async () => {
    const before = (await lines()).length
    const sent = await operator.send(pageOf(other.id), "show")
    assert.deepStrictEqual([sent.status, sent.headers.get("location")], [303, "/dashboard"])
    const all = await lines()
    assert.strictEqual(all.length, before + 1)
    assert.deepInclude(all[0], { verb: "account_look", subject: other.id, accountId: other.id, name: "op" })
    const { html } = await owner.get("/dashboard/changes")
    assert.include(html, "account look")
    const whole = await operator.get(parts[4]!)
    for (const text of ["account look", "job run", other.id]) assert.include(whole.html, text)
  })

  it("suspends it in two steps, says so on its pages, and resumes it", async () => {
    const root = parts[0]!
    const page = pageOf(other.id)
    const answer = async () => (await running.get("/v1/weather/stations?fields=count", other.token)).status
    const settles = async (status: number) => {
      await aSecond()
      assert.strictEqual(await answer(), status)
    }
    await operator.send(page, "show")
    assert.notInclude((await operator.get(page)).html, 'name="action" value="suspend"')
    const step = await operator.get(`${page}?do=suspend`)
    assert.include(step.html, "Suspend other: calls of its 1 key answer 403 within a second.")
    assert.strictEqual(await answer(), 200)
    assert.strictEqual((await operator.send(`${page}?do=suspend`, "suspend")).status, 303)
    await settles(403)
    assert.deepInclude((await lines())[0], { verb: "accounts_suspend", accountId: other.id, name: "op" })
    const { status, html } = await owner.get("/dashboard")
    assert.strictEqual(status, 200)
    const banner = (html: string) => /<p[^>]*data-live-unless="suspended=no"[\s\S]*?<\/p>/.exec(html)![0]
    assert.match(
      banner(html),
      /^<p [^>]*"suspended=no">.*This account is suspended<\/strong> since <span[^>]+>\d+ \w{3} \d{4}, \d\d:\d\d UTC<\/span>/,
    )
    assert.include((await operator.get(`${root}?q=other`)).html, "suspended")
    // Forms of its people work.
    assert.strictEqual((await owner.send("/dashboard/agents/new", "create", { name: "bot" })).status, 303)
    assert.strictEqual((await operator.send(page, "resume")).status, 303)
    await settles(200)
    assert.match(banner((await owner.get("/dashboard")).html), /^<p [^>]* hidden>/)
    assert.deepInclude((await lines())[0], { verb: "accounts_resume", accountId: other.id })
    assert.strictEqual((await owner.get(root)).status, 404)
  })

  it("that is not there leaves none", async () => {
    const before = (await lines()).length
    assert.strictEqual((await operator.get(pageOf("acct_none"))).status, 404)
    const body = hidden((await operator.get(pageOf(other.id))).html, "show")
    assert.strictEqual((await operator.post(pageOf("acct_none"), body)).status, 404)
    // An account has one address.
    assert.strictEqual((await operator.get(pageOf("other"))).status, 404)
    assert.strictEqual((await lines()).length, before)
  })
})

describe("lists of many", () => {
  const many = 60
  const names = (html: string) => [...html.matchAll(/>\s*((?:many|m) \d+)\b/g)].map(([, name]) => name!)

  it("accounts and people go on with a link", async () => {
    await running.run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        for (let n = 0; n < many; n++) yield* accounts.create(`many ${n}`)
      }),
    )
    const first = (await operator.get("/dashboard/operator?q=many")).html
    const [, older] = /href="([^"]+)"[^>]*>Older accounts</.exec(first)!
    const next = (await operator.get(older!.replaceAll("&amp;", "&"))).html
    const found = [first, next].map((html) => new Set(names(html)).size)
    assert.deepStrictEqual(found, [50, 10])
    assert.notInclude(next, "Older accounts")

    for (let n = 0; n <= 100; n++) await running.run(invited(n))
    const people = (await owner.get("/dashboard/people")).html
    const [, on] = /href="([^"]+)"[^>]*>Older people</.exec(people)!
    const rest = (await owner.get(on!.replaceAll("&amp;", "&"))).html
    assert.deepStrictEqual([new Set(names(people)).size, new Set(names(rest)).size], [100, 1])
    assert.include(rest, "olga")
    for (const part of ["people", "changes", "webhooks/dead-letters"]) {
      assert.strictEqual((await owner.get(`/dashboard/${part}?cursor=x`)).status, 400, part)
    }
  })
})
