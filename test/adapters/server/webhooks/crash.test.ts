import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { types } from "../../../../core/events/Event.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import * as processes from "../../../support/processes.ts"
import { type Answer, answering, hang, type Received, receiver, reset } from "../../../support/receiver.ts"
import { makeFolder, removeFolder } from "../../../support/store.ts"
import { webhooksOver } from "../../../support/webhooks.ts"

const kills = Number(process.env["WEBHOOK_KILLS"] ?? 20)
/** How many of the next senders load while one works. */
const ahead = 2

const inStore = <A>(
  file: string,
  host: string,
  effect: Effect.Effect<A, unknown, Accounts | Agents | SqlClient.SqlClient | Webhooks>,
): Promise<A> => Effect.runPromise(Effect.provide(effect, webhooksOver(file, [host])))

/** An account with a webhook and an agent for each sender, which reaches its cap with every charge of a month. */
const owner = (url: string) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const agents = yield* Agents
    const { id: accountId } = yield* accounts.create("one")
    yield* accounts.credit(accountId, MicroUsd(1_000_000_000_000))
    const { key } = yield* accounts.issueKey({ account: accountId, environment: "live", tier: "pro" })
    yield* (yield* Webhooks).create(accountId, url, types)
    const bots = yield* Effect.forEach(Array.from({ length: kills + 1 }), (_, n) =>
      agents.create(accountId, `bot ${n}`, { monthlyCap: MicroUsd(1_000) }),
    )
    return { accountId, keyId: key.id, agents: bots.map(({ id }) => id) }
  })

const outbox = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<{ id: string; charge: string }>`
      SELECT id, json_extract(data, '$.agent_id') || ' ' || json_extract(data, '$.period') AS charge FROM outbox`,
)

describe("a sender that is killed while it delivers", () => {
  it(`loses no event, ${kills} times, whatever the receiver does`, { timeout: 400_000 + kills * 3_000 }, async () => {
    const path = makeFolder()
    const file = join(path, "store.db")
    const taken = new Set<string>()
    const take: Answer = (one, ...rest) => {
      taken.add(one.id)
      answering(200)(one, ...rest)
    }
    const moods: ReadonlyArray<Answer> = [take, take, answering(500), reset, hang]
    const to = await receiver((...all) => moods[Math.floor(Math.random() * moods.length)]!(...all))
    const acknowledged: Array<string> = []
    const senders: Array<processes.Child> = []
    try {
      const who = await inStore(file, to.host, owner(to.url))
      const load = () => {
        const agent = who.agents[senders.length]!
        const args = [file, to.host, who.accountId, who.keyId, agent]
        senders.push(processes.start("test/support/webhookProcess.ts", args))
      }
      const begin = async (round: number) => {
        while (senders.length < Math.min(round + 1 + ahead, kills + 1)) load()
        const sender = senders[round]!
        await sender.linesUntil(1)
        sender.process.stdin.write("go\n")
        return sender
      }
      for (let round = 0; round < kills; round++) {
        const sender = await begin(round)
        const before = to.received.length
        await sender.linesUntil(3)
        await to.until((all) => all.length > before)
        // A random moment, not one at which something has just been done.
        await setTimeout(Math.random() * 60)
        sender.process.kill("SIGKILL")
        assert.isNull(await sender.ended, sender.stderr())
        acknowledged.push(...sender.lines.slice(1))
      }
      // The last one is left to do what is still to be done.
      to.answers(take)
      const before = await inStore(file, to.host, outbox)
      await begin(kills)
      await to.until(() => before.every(({ id }) => taken.has(id)))
      senders[kills]!.process.kill("SIGKILL")
      await senders[kills]!.ended

      const events = await inStore(file, to.host, outbox)
      const known = new Set(events.map(({ id }) => id))
      const charges = new Map<string, number>()
      for (const { charge } of events) charges.set(charge, (charges.get(charge) ?? 0) + 1)
      for (const line of acknowledged) {
        const [agent, month] = line.split(" ")
        const period = new Date(Date.UTC(1970, Number(month), 1)).toISOString().slice(0, 7)
        assert.strictEqual(charges.get(`${agent} ${period}`), 2, `the events of ${line}`)
      }
      const bodies = new Map<string, Set<string>>()
      for (const { id, body } of to.received as ReadonlyArray<Received>) {
        assert.isTrue(known.has(id))
        assert.strictEqual(JSON.parse(body).id, id)
        bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
      }
      for (const [id, all] of bodies) assert.strictEqual(all.size, 1, `the bytes of ${id}`)
      assert.deepStrictEqual(
        before.filter(({ id }) => !taken.has(id)),
        [],
      )
      assert.isAtLeast(acknowledged.length, kills * 2)
      assert.isAbove(to.received.length, before.length, "something was delivered more than once")
      const dead = await inStore(
        file,
        to.host,
        Effect.flatMap(Webhooks, (webhooks) => webhooks.deadLetters(who.accountId, { limit: 1 })),
      )
      assert.deepStrictEqual(dead, [])
      await inStore(
        file,
        to.host,
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.map(sql`PRAGMA integrity_check`, (rows) => assert.deepStrictEqual(rows, [{ integrity_check: "ok" }])),
        ),
      )
    } finally {
      for (const { process } of senders) process.kill("SIGKILL")
      await to.stop()
      removeFolder(path)
    }
  })
})
