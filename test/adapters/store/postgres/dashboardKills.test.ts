import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../../../adapters/store/engine/postgres/open.ts"
import { layerStore } from "../../../../adapters/store/record/Settled.ts"
import { SettledStore } from "../../../../core/record/scoreboard/SettledStore.ts"
import { adminToken, type HostileServer, serve } from "../../../support/hostileServer.ts"
import { barOf } from "../../../support/longForm.ts"
import { database } from "../../../support/postgres.ts"
import { settledRows } from "../../../support/settledRows.ts"
import { folder } from "../../../support/store.ts"
import { enter, hidden, type Seen, type Visitor, visitorOf } from "../../web/dashboard/visitor.ts"

const kills = Number(process.env["PG_FORM_KILLS"] ?? 2)
const isLongForm = kills > 2

const admin = async ({ adminUrl }: HostileServer, path: string, body: unknown) => {
  const response = await fetch(`${adminUrl}/admin/v1/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
  })
  assert.strictEqual(response.status, 201)
  return (await response.json()) as { readonly path: string }
}

/** The board without the address of the node that shows it. */
const boardOf = async ({ url }: HostileServer): Promise<string> => {
  const response = await fetch(`${url}/scoreboard`)
  assert.strictEqual(response.status, 200)
  return (await response.text()).replaceAll(url, "")
}

describe("nodes with a dashboard that are killed", () => {
  it.scopedLive(
    `keep sessions, do a form that is sent to two of them once, and show one scoreboard, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const store = yield* Layer.build(Layer.provideMerge(layerStore, Postgres.layer(url)))
        const sql = Context.get(store, SqlClient.SqlClient)
        const path = yield* folder
        const keyFiles = { RECORD_KEY_FILE: join(path, "record.key"), SECRETS_KEY_FILE: join(path, "secrets.key") }
        const environment = { ...keyFiles, DATABASE_URL: Redacted.value(url), DATA_FRESHNESS_MARKETS: "live" }
        const all: Array<HostileServer> = []
        yield* Effect.addFinalizer(() =>
          Effect.promise(async () => {
            for (const { child } of all) child.process.kill("SIGKILL")
            await Promise.all(all.map(({ child }) => child.ended))
          }),
        )
        const begin = async () => {
          const server = await serve("", { ...environment, LOG_LEVEL: "info" })
          all.push(server)
          return server
        }
        const nodes = yield* Effect.promise(() => Promise.all([begin(), begin(), begin()]))
        const first = nodes[0]!
        const owner = yield* Effect.promise(async () => {
          await admin(first, "accounts", { name: "tester" })
          const link = await admin(first, "dashboard-links", { account: "tester", name: "ann" })
          const { headers } = await enter(first.url, link.path.split("#")[1]!)
          return headers.get("set-cookie")!.split(";")[0]!.split("=")[1]!
        })
        // A name has one cookie for each port; behind one public address it is the same.
        const on = (server: HostileServer): Visitor =>
          visitorOf(server.url, `session-${new URL(server.url).port}=${owner}`)
        const keyCount = Effect.map(sql<{ readonly n: number }>`SELECT count(*) AS n FROM api_keys`, ([row]) => row!.n)
        let board = yield* Effect.promise(() => boardOf(first))
        const settled = settledRows(kills * 40, 7)
        let [answered, twice, slowest] = [0, 0, 0]
        for (let round = 0; round < kills; round++) {
          const [victim, other, third] = nodes as [HostileServer, HostileServer, HostileServer]
          const form = "/dashboard/keys/new"
          const before = yield* keyCount
          const said = yield* Effect.promise(async () => {
            const body = hidden((await on(victim).get(form)).html, "create")
            body.set("environment", "test")
            const ask = (server: HostileServer) =>
              on(server)
                .post(form, body)
                .catch(() => undefined)
            const both = [victim, other].map(ask)
            await setTimeout(Math.random() * 40)
            victim.child.process.kill("SIGKILL")
            // The browser's user presses the button again, and comes to another node.
            return [...(await Promise.all(both)), await ask(third), await ask(other)]
          })
          assert.strictEqual(yield* keyCount, before + 1)
          const given = said.filter((each): each is Seen => each !== undefined)
          for (const { status } of given) assert.strictEqual(status, 200)
          answered += given.length
          const made = given.filter(({ html }) => /svk_test_[0-9A-Za-z]{49}/.test(html))
          assert.isAtMost(made.length, 1)
          for (const each of given) if (!made.includes(each)) assert.include(each.html, "This form was used already")
          twice += given.length - made.length
          // The session that began on the first node is one on every other.
          for (const server of [other, third]) {
            const { status, html } = yield* Effect.promise(() => on(server).get("/dashboard/keys"))
            assert.strictEqual(status, 200)
            assert.include(html, "key_")
          }
          const rows = settled.slice(round * 40, (round + 1) * 40)
          yield* Effect.provide(
            Effect.flatMap(SettledStore, ({ append }) => append(rows)),
            store,
          )
          const next = yield* Effect.promise(begin)
          nodes.splice(0, 3, other, third, next)
          const since = performance.now()
          const boards = Effect.promise(() => Promise.all(nodes.map(boardOf)))
          let shown = yield* boards
          while (new Set(shown).size > 1 || shown[0] === board) {
            assert.isBelow(performance.now() - since, barOf(10_000, isLongForm), "boards differ")
            yield* Effect.sleep("200 millis")
            shown = yield* boards
          }
          board = shown[0]!
          slowest = Math.max(slowest, performance.now() - since)
        }
        assert.deepStrictEqual(
          Arr.map(yield* sql`SELECT DISTINCT verb FROM changes WHERE form_id IS NOT NULL`, Object.values),
          [["keys_create"]],
        )
        yield* Effect.logInfo(JSON.stringify({ kills, answered, twice, boardMs: Math.round(slowest) }))
      }),
    120_000 + kills * 20_000,
  )
})
