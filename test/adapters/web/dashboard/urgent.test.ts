import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { agentKey } from "../../../support/agentKey.ts"
import { jobOf, operationOf } from "../../../support/operation.ts"
import { type Running, start } from "../../../support/running.ts"
import { signIn, type Visitor } from "./visitor.ts"

let running: Running
let owner: Visitor
let operator: Visitor
beforeAll(async () => {
  const jobs = [
    jobOf("retention", Effect.succeed("deleted 7 replies")),
    jobOf("broken", Effect.fail({ _tag: "B", message: "no" })),
  ]
  const operation = await Effect.runPromise(operationOf(jobs))
  running = await start({}, { operation: { ...operation, modes: { weather: "live" } } })
  owner = await signIn(running, { account: "tester", name: "ann" })
  operator = await signIn(running, { operator: true, name: "op" })
}, 120_000)
afterAll(() => running.stop())

const paid = "/v1/weather/signal?station=KNYC"

const text = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")

const listed = async (visitor: Visitor, path: string) => {
  const { html } = await visitor.get(path)
  const [list = ""] = /<section class="urgent"[\s\S]*?<\/section>/.exec(html) ?? []
  return { html, list, lines: [...list.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, line]) => text(line!).trim()) }
}

describe("the overview", () => {
  it("says nothing to somebody new, and one quiet line when all is well", async () => {
    assert.notInclude((await owner.get("/dashboard")).html, "ttention")
    assert.strictEqual((await running.get(paid)).status, 200)
    const { html, lines } = await listed(owner, "/dashboard")
    assert.deepStrictEqual(lines, [])
    assert.include(html, "Nothing needs attention.")
  })

  it("names the agent at its cap, how many calls were refused, and where the cap is raised", async () => {
    const token = await agentKey(running, "nfl-lines", 10_000)
    assert.strictEqual((await running.get(paid, token)).status, 200)
    for (let call = 0; call < 3; call++) assert.strictEqual((await running.get(paid, token)).status, 429)
    const { list, lines } = await listed(owner, "/dashboard")
    const { id } = (await running.run(Effect.flatMap(Agents, ({ get }) => get("nfl-lines")))).agent
    assert.lengthOf(lines, 2)
    assert.match(lines[1]!, /^▲ failed 3 calls since yesterday : .*\. See calls$/)
    assert.match(
      lines[0]!,
      /^■ cap reached, resets 1 \w+ \d{4} nfl-lines : reached its cap of 0.01 USD, 3 calls refused\. Raise cap$/,
    )
    assert.include(list, `href="/dashboard/agents/${id}#caps"`)
    assert.include((await owner.get("/dashboard/agents")).html, "cap reached, resets 1")
    assert.include((await owner.get(`/dashboard/agents/${id}`)).html, 'id="caps"')
  })

  it("names five at most, the worst first, and how many more there are", async () => {
    await running.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const agents = yield* Agents
        for (const [name, spent] of [
          ["near", 90],
          ["over a", 100],
          ["over b", 101],
          ["over c", 200],
          ["over d", 100],
          ["fine", 79],
        ] as const) {
          const { id } = yield* agents.create("tester", name, { budgetCap: MicroUsd(100) })
          yield* sql`INSERT INTO agent_spend ${sql.insert({ agent_id: id, livemode: 1, month: "2026-01", micros: spent })}`
        }
        const { setLowBalance } = yield* Accounts
        yield* setLowBalance("tester", MicroUsd(5_000_000))
      }),
    )
    const { html, lines } = await listed(owner, "/dashboard")
    assert.lengthOf(lines, 5)
    for (const line of lines) assert.match(line, /^■ /)
    assert.include(html, "And 3 more.")
    assert.notInclude(html, "<strong>fine</strong>")
  })

  it("is told of changes by the value that the page compares", async () => {
    const { html } = await owner.get("/dashboard")
    assert.match(html, /data-live-unless="attention=[^"]*nfl-lines: cap reached, resets 1 \w+[^"]*" hidden/)
  })
})

describe("the operator's first page", () => {
  it("names the job that failed and the lane without data", async () => {
    await operator.send("/dashboard/operator/service", "run", { job: "broken" })
    for (;;) {
      const { lines } = await listed(operator, "/dashboard/operator")
      if (lines.length === 0) continue
      assert.deepStrictEqual(lines, ["▲ failed broken : its last run failed: B: no. See its runs"])
      break
    }
  })
})
