import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AdminOperation from "../../../adapters/admin/AdminOperation.ts"
import { verbs as verbsOf } from "../../../adapters/admin/verbs.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { ChangeLog } from "../../../core/people/Change.ts"
import { People } from "../../../core/people/People.ts"
import { type Running, start } from "../../support/running.ts"

const verbs = verbsOf(catalogue)

type Name = keyof typeof verbs
type Params = Readonly<Record<string, unknown>>

let running: Running
beforeAll(async () => {
  running = await start({ webhooks: { allowHosts: ["127.0.0.1"] } })
})
afterAll(() => running.stop())

const run = (name: Name, params: Params) =>
  running.run(
    AdminOperation.compile(verbs[name] as AdminOperation.Any)(
      { _tag: "Json", value: params },
      AdminOperation.commandLine,
    ),
  ) as Promise<Readonly<Record<string, string>>>

const log = () => running.run(Effect.flatMap(ChangeLog, ({ page }) => page({ limit: 1_000 })))

/** Those that change nothing here: no month is over, there is no event to replay, and no payment provider. */
const elsewhere = new Set<Name>(["auditExported", "auditDrop", "ordersBegin", "ordersReconcile", "webhooksReplay"])

describe("a verb that changes something", () => {
  it("leaves one line in the log, with the account that it changes", async () => {
    const account = (await run("accountsCreate", { name: "acme" }))["id"]!
    const done = new Set<Name>(["accountsCreate"])
    const changed = async (name: Name, params: Params, owner: string | null = account) => {
      const before = (await log()).length
      const result = await run(name, params)
      const lines = await log()
      assert.strictEqual(lines.length - before, 1, name)
      assert.deepInclude(lines[0], { who: "command line", verb: verbs[name].id }, name)
      assert.strictEqual(lines[0]!.accountId ?? null, owner, name)
      assert.notStrictEqual(lines[0]!.subject, "", name)
      for (const value of Object.values(result)) {
        if (/^(svk_|whsec_)/.test(String(value))) assert.notInclude(JSON.stringify(lines), String(value), name)
      }
      done.add(name)
      return result
    }
    await changed("accountsTier", { account, tier: "pro" })
    for (const name of ["accountsSuspend", "accountsResume"] as const) await changed(name, { account })
    await changed("walletCredit", { account, micros: 5_000_000 })
    const { postings } = (await run("walletShow", { account })) as unknown as {
      postings: ReadonlyArray<{ id: string }>
    }
    await changed("walletReverse", { account, credit: postings[0]!.id, micros: 1 })
    for (const micros of [1_000_000, null]) await changed("walletThreshold", { account, threshold_micros: micros })
    const key = await changed("keysCreate", { account, environment: "test" })
    const rotated = await changed("keysRotate", { key: key["id"] })
    await changed("keysRevoke", { key: rotated["id"] })
    const agent = (await changed("agentsCreate", { account, name: "bot" }))["id"]
    for (const name of ["agentsPause", "agentsResume"] as const) await changed(name, { agent })
    await changed("agentsCap", { agent: "bot", monthly_cap_micros: 5 })
    await changed("agentsRevoke", { agent })
    const webhook = (
      await changed("webhooksCreate", { account, url: "http://127.0.0.1:9/hook", events: ["agent.budget_warning"] })
    )["id"]
    for (const name of ["webhooksPause", "webhooksResume", "webhooksTest", "webhooksRotate"] as const) {
      await changed(name, { webhook })
    }
    await changed("webhooksDelete", { webhook })
    const alert = (await changed("alertsCreate", { account, call: "/v1/weather/settlement?station=KNYC" }))["id"]
    for (const name of ["alertsPause", "alertsResume", "alertsDelete"] as const) await changed(name, { alert })
    await changed("dashboardLink", { account })
    const invited = await changed("peopleInvite", { account, name: "ann", role: "owner" })
    const other = await changed("peopleInvite", { account, name: "bob", role: "owner" })
    const { acceptInvitation: enter, members } = await running.run(People)
    for (const { path } of [invited, other] as ReadonlyArray<{ readonly path?: string }>) {
      await running.run(enter(path!.split("#")[1]!, {}))
    }
    const [ann] = await running.run(members(account, { limit: 10 }))
    const person = ann!.person.id
    await changed("sessionsEnd", { person }, null)
    await changed("peopleRole", { account, person, role: "viewer" })
    await changed("peopleRemove", { account, person })
    await running.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          INSERT INTO venue_readings (station, day, revision, status, issued_at, high_f, low_f, read_at)
          VALUES ('KNYC', '2026-07-12', 1, 'official', 0, 95, 70, 0)`,
      ),
    )
    await changed(
      "sourcesVoid",
      { source: "venue_reading", station: "KNYC", day: "2026-07-12", version: "1", reason: "Another day's" },
      null,
    )
    const writing = Object.entries(verbs).flatMap(([name, verb]) =>
      Endpoint.methodOf(verb) === "GET" || elsewhere.has(name as Name) ? [] : [name],
    )
    assert.deepStrictEqual([...done].toSorted(), writing.toSorted())
  })
})

describe("a verb of members", () => {
  const member = { who: "psn_1", member: { accountId: "acct_none", role: "owner" } } as const
  const all = Object.entries(verbs) as ReadonlyArray<readonly [string, AdminOperation.Any]>

  it.each(all.filter(([, { leastRole }]) => leastRole !== undefined))(
    "%s names nothing of another account",
    async (_, verb) => {
      const named: Params = {
        agent: "bot",
        key: running.account.live.id,
        webhook: "whk_other",
        alert: "alt_other",
        call: "/v1/weather/settlement?station=KNYC",
        person: "psn_other",
        environment: "test",
        name: "x",
        role: "viewer",
        threshold_micros: 1,
        url: "https://example.com/hook",
        events: ["agent.budget_warning"],
        micros: 5_000_000,
      }
      const fields = Object.keys(verb.params.fields).filter((name) => name in named)
      const value = Object.fromEntries(fields.map((name) => [name, named[name]]))
      const failure = await running.run(Effect.flip(AdminOperation.compile(verb)({ _tag: "Json", value }, member)))
      assert.strictEqual(failure.code, "not_found")
    },
  )

  it.each(all.filter(([, { leastRole }]) => leastRole === undefined))("%s is an operator's alone", async (_, verb) => {
    const failure = await running.run(Effect.flip(AdminOperation.compile(verb)({ _tag: "Json", value: {} }, member)))
    assert.strictEqual(failure.code, "not_found")
  })

  it.each([
    ["the account", "agentsCreate", { account: "tester", name: "x" }, "account"],
    ["a tier", "keysCreate", { environment: "live", tier: "pro" }, "tier"],
    ["a limit", "keysCreate", { environment: "live", rpm: 5 }, "rpm"],
    ["the account of a wallet", "walletThreshold", { account: "tester", threshold_micros: 1 }, "account"],
  ] as const)("does not take %s", async (_, name, value, field) => {
    const failure = await running.run(
      Effect.flip(AdminOperation.compile(verbs[name] as AdminOperation.Any)({ _tag: "Json", value }, member)),
    )
    assert.deepStrictEqual([failure.code, failure.hints?.[0]?.field], ["invalid_request_body", field])
  })
})
