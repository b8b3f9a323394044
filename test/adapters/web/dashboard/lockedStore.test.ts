// Proof: waits for locks of the store.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Agents } from "../../../../core/account/Agents.ts"
import { ChangeLog } from "../../../../core/people/Change.ts"
import { begin } from "../../../support/chaos/chaos.ts"
import { type Running, start } from "../../../support/running.ts"
import { hidden, signIn, type Visitor } from "./visitor.ts"

const folder = mkdtempSync(join(tmpdir(), "market-signals-"))
const file = join(folder, "store.db")
let running: Running
let owner: Visitor

beforeAll(async () => {
  running = await start({ sqliteFile: file })
  owner = await signIn(running, { account: "tester" })
}, 120_000)
afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Does something while another process holds the write lock of the store. */
const whileHeld = async <A>(work: () => Promise<A>): Promise<A> => {
  const other = await begin("hold", file)
  await other.linesUntil(2)
  try {
    return await work()
  } finally {
    other.process.stdin.write("\n")
    await other.ended
  }
}

const lines = () =>
  running.run(Effect.flatMap(ChangeLog, ({ page }) => Effect.map(page({ limit: 1_000 }), (all) => all.length)))

const agents = () =>
  running.run(
    Effect.flatMap(Agents, ({ list }) =>
      Effect.map(list("tester", { limit: 100 }), (all) => all.map(({ name }) => name)),
    ),
  )

describe("a form that is sent while another process holds the store", () => {
  it("is shown again with its values, changes nothing, and works at the second press, once", async () => {
    const path = "/dashboard/agents/new"
    const body = hidden((await owner.get(path)).html, "create")
    const name = "a patient one"
    body.set("name", name)
    body.set("monthly_cap_micros", "7.25")
    // Filling a form in takes longer than a session's use is remembered.
    await running.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE sessions SET seen_at = seen_at - 120000`))
    const before = await lines()
    const refused = await whileHeld(() => owner.post(path, body))
    assert.strictEqual(refused.status, 503)
    assert.strictEqual(refused.headers.get("retry-after"), "1")
    assert.include(refused.html, "The store is locked by other work. Try again in a moment")
    assert.include(refused.html, `value="${name}"`)
    assert.include(refused.html, 'value="7.25"')
    assert.deepStrictEqual([await lines(), await agents()], [before, []])
    const again = hidden(refused.html, "create")
    assert.strictEqual(again.get("form_id"), body.get("form_id"))
    again.set("name", name)
    again.set("monthly_cap_micros", "7.25")
    assert.strictEqual((await owner.post(path, again)).status, 303)
    assert.deepStrictEqual([await lines(), await agents()], [before + 1, [name]])
    // The page that was left open in another tab has the same form.
    assert.include((await owner.post(path, body)).html, "This form was already sent")
    assert.deepStrictEqual([await lines(), await agents()], [before + 1, [name]])
  })

  it("charges a call of the playground once, at the second press", async () => {
    const path = "/dashboard/playground/weather_signal"
    // The session's key is there before: only the charge fails.
    const free = hidden((await owner.get(path)).html, "run")
    free.set("station", "KNYC")
    free.set("environment", "live")
    const asked = async (form: URLSearchParams) => hidden((await owner.post(path, form)).html, "run")
    assert.include((await owner.post(path, await asked(free))).html, "charged 0.01 USD")
    const [balance, charges] = [await running.balance(), await running.charges()]
    const body = hidden((await owner.get(path)).html, "run")
    body.set("station", "KBOS")
    body.set("environment", "live")
    const spending = await asked(body)
    const refused = await whileHeld(() => owner.post(path, spending))
    assert.include(refused.html, "<strong>503</strong>")
    assert.include(refused.html, '<option value="KBOS" selected')
    assert.deepStrictEqual([await running.balance(), await running.charges()], [balance, charges])
    const again = hidden(refused.html, "run")
    assert.strictEqual(again.get("form_id"), body.get("form_id"))
    again.set("station", "KBOS")
    again.set("environment", "live")
    const made = await owner.post(path, await asked(again))
    assert.include(made.html, "<strong>200</strong>, charged 0.01 USD")
    assert.include((await owner.post(path, spending)).html, "which was charged once")
    assert.deepStrictEqual([await running.balance(), await running.charges()], [balance - 10_000, charges + 1])
  })

  it("can be read meanwhile: pages are whole", async () => {
    await whileHeld(async () => {
      for (const page of ["", "/keys", "/agents", "/wallet", "/usage", "/calls", "/webhooks", "/people", "/sessions"]) {
        assert.strictEqual((await owner.get(`/dashboard${page}`)).status, 200, page)
      }
    })
  })
})

describe("a page that cannot be read from the store", () => {
  it("is a page with the cause for somebody who reads, the envelope for a program, and back with the store", async () => {
    const sql = (text: string) =>
      running.run(Effect.flatMap(SqlClient.SqlClient, ({ unsafe }) => Effect.asVoid(unsafe(text))))
    const at = (accept: string) => owner.get("/dashboard/keys", { accept })
    await sql("ALTER TABLE sessions RENAME TO sessions_away")
    const [read, asked] = await Promise.all([at("text/html"), at("application/json")])
    await sql("ALTER TABLE sessions_away RENAME TO sessions")
    assert.deepStrictEqual([read.status, asked.status], [500, 500])
    assert.include(read.headers.get("content-type"), "text/html")
    assert.include(read.html, "<h1>Not available now</h1>")
    assert.notInclude(read.html, "sessions")
    assert.strictEqual(JSON.parse(asked.html).error.code, "internal_error")
    assert.strictEqual((await at("text/html")).status, 200)
  })
})
