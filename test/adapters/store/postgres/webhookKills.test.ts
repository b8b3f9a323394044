import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as secretBox from "../../../../adapters/runtime/node/secretBox.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { SecretBox } from "../../../../core/account/SecretBox.ts"
import { types } from "../../../../core/events/Event.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import { killing } from "../../../support/killing.ts"
import { database } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"
import * as processes from "../../../support/processes.ts"
import { type Answer, answering, hang, receiver, reset } from "../../../support/receiver.ts"
import { folder } from "../../../support/store.ts"
import { webhooksOn } from "../../../support/webhooks.ts"

const kills = Number(process.env["PG_WEBHOOK_KILLS"] ?? 5)
const workers = 3

describe("webhook workers of three nodes that are killed", () => {
  it.scopedLive(
    `deliver each event at least once, with the same id and bytes, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const keyFile = join(yield* folder, "secrets.key")
        const taken = new Set<string>()
        const take: Answer = (one, ...rest) => {
          taken.add(one.id)
          answering(200)(one, ...rest)
        }
        const moods: ReadonlyArray<Answer> = [take, take, answering(500), reset, hang]
        const to = yield* Effect.acquireRelease(
          Effect.promise(() => receiver((...all) => moods[Math.floor(Math.random() * moods.length)]!(...all))),
          ({ stop }) => Effect.promise(stop),
        )
        const box = Layer.tap(secretBox.layerFile(keyFile), (context) =>
          Effect.orDie(Context.get(context, SecretBox).ready(false)),
        )
        const operator = yield* Layer.build(webhooksOn(Layer.succeedContext(yield* node(url)), [to.host], box))
        const who = yield* Effect.gen(function* () {
          const accounts = yield* Accounts
          const agents = yield* Agents
          const { id: accountId } = yield* accounts.create("one")
          yield* accounts.credit(accountId, MicroUsd(1_000_000_000_000))
          const { key } = yield* accounts.issueKey({ account: accountId, environment: "live", tier: "pro" })
          yield* (yield* Webhooks).create(accountId, to.url, types)
          // Each charge of a month takes an agent to its cap: two events.
          const bots = yield* Effect.forEach(Array.from({ length: kills + workers + 1 }), (_, n) =>
            agents.create(accountId, `bot ${n}`, { monthlyCap: MicroUsd(1_000) }),
          )
          return { accountId, keyId: key.id, agents: bots.map(({ id }) => id) }
        }).pipe(Effect.provide(operator))
        const start = (number: number) =>
          processes.start("test/support/webhookProcess.ts", [
            ...[Redacted.value(url), to.host, who.accountId, who.keyId, who.agents[number]!, keyFile],
          ])
        const { all } = yield* Effect.promise(() => killing({ nodes: workers, kills, lines: 3 }, start))

        const sql = Context.get(operator, SqlClient.SqlClient)
        const events = yield* sql<{ id: string; charge: string }>`
          SELECT id, (data::json ->> 'agent_id') || ' ' || (data::json ->> 'period') AS charge FROM outbox`
        // One is left to do what is still to be done.
        to.answers(take)
        const last = yield* Effect.acquireRelease(
          Effect.sync(() => start(all.length)),
          (child) =>
            Effect.promise(async () => {
              child.process.kill("SIGKILL")
              await child.ended
            }),
        )
        yield* Effect.promise(() => last.linesUntil(1))
        last.process.stdin.write("go\n")
        yield* Effect.promise(() => to.until(() => events.every(({ id }) => taken.has(id))))

        const charges = new Map<string, number>()
        for (const { charge } of events) charges.set(charge, (charges.get(charge) ?? 0) + 1)
        for (const line of all.flatMap(({ lines }) => lines.slice(1))) {
          const [agent, month] = line.split(" ")
          const period = new Date(Date.UTC(1970, Number(month), 1)).toISOString().slice(0, 7)
          assert.strictEqual(charges.get(`${agent} ${period}`), 2, `the events of ${line}`)
        }
        const bodies = new Map<string, Set<string>>()
        for (const { id, body } of to.received) {
          assert.strictEqual(JSON.parse(body).id, id)
          bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
        }
        for (const { id } of events) assert.strictEqual(bodies.get(id)?.size, 1, `the bytes of ${id}`)
        yield* Effect.logInfo(`${kills} kills: ${events.length} events, ${to.received.length} deliveries`)
        assert.isAbove(events.length, kills * 4)
        assert.isAbove(to.received.length, events.length, "something was delivered more than once")
        const dead = yield* Effect.provide(
          Effect.flatMap(Webhooks, (webhooks) => webhooks.deadLetters(who.accountId, { limit: 1 })),
          operator,
        )
        assert.deepStrictEqual(dead, [])
      }),
    120_000 + kills * 5_000,
  )
})
