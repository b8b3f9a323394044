import { deepStrictEqual, ok, strictEqual } from "node:assert"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import * as client from "../../../adapters/server/webhooks/client.ts"
import * as worker from "../../../adapters/server/webhooks/worker.ts"
import * as deliveryQueue from "../../../adapters/store/events/DeliveryQueue.ts"
import * as stores from "../../../adapters/store/open.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { types } from "../../../core/events/Event.ts"
import { Webhooks } from "../../../core/events/Webhooks.ts"
import { moneyAt, storeAt } from "../place.ts"
import { type Answer, answering, hang, receiver, reset } from "../receiver.ts"
import { say } from "../say.ts"
import { charge } from "../settlement.ts"
import { folder } from "../store.ts"
import { boxOf, webhooksOn } from "../webhooks.ts"
import type { Workload } from "./chaos.ts"

const cap = 1_000

interface Given {
  readonly host: string
  readonly accountId: string
  readonly keyId: string
  /** One for each program. */
  readonly agents: ReadonlyArray<string>
  readonly keyFile: string
  readonly pauseMs: number
}

interface Event {
  readonly id: string
  readonly data: string
}

/** The schedule of a receiver nobody has patience with. */
const options: worker.Options = {
  schedule: { offsetsMs: Array.from({ length: 1_000 }, (_, n) => n * 30), windowMs: 3_600_000, restMs: 5, jitter: 0.1 },
  leaseMs: 400,
  pollMs: 20,
  paceMs: 5,
}

/**
 * Delivers what the store holds to a receiver, and meanwhile charges its agent to its cap in one month after the other,
 * saying each month whose charge has returned.
 */
export const work = (place: string, { host, accountId, keyId, agents, keyFile, pauseMs }: Given, number: number) => {
  const agentId = agents[number]!
  const charging = Effect.forEach(
    Array.from({ length: 600 }, (_, month) => Date.UTC(1970, 1 + month, 1)),
    (at) =>
      charge({ accountId, keyId, agentId, micros: cap, at, requestId: `${agentId}_${at}` }).pipe(
        Effect.map(() => say(`${agentId} ${new Date(at).toISOString().slice(0, 7)}`)),
        Effect.zipRight(Effect.sleep(pauseMs)),
      ),
    { discard: true },
  )
  const sending = worker
    .layer(options)
    .pipe(Layer.provide([client.layer({ allowHosts: [host], timeoutMs: 150 }), deliveryQueue.layer]))
  return Effect.zipRight(charging, Effect.never).pipe(
    Effect.provide(
      Layer.merge(Layer.provide(stores.ledger, hasher.layer), sending).pipe(
        Layer.provide([secrets.layer, storeAt(place), boxOf(keyFile)]),
      ),
    ),
  )
}

/** Answers well and badly until it is told to take all; `taken` has the ids of what it took. */
const moody = Effect.gen(function* () {
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
  return { ...to, taken, take }
})

/** Every charge has its events, and each of these was delivered with one id and one body. */
export const webhooks: Workload = {
  name: "webhooks",
  prepare: ({ place, nodes, rounds }) =>
    Effect.gen(function* () {
      const keyFile = join(yield* folder, "secrets")
      const to = yield* moody
      const operator = webhooksOn(moneyAt(place), [to.host], boxOf(keyFile))
      const given: Given = yield* Effect.gen(function* () {
        const accounts = yield* Accounts
        const agents = yield* Agents
        const { id: accountId } = yield* accounts.create("one")
        yield* accounts.credit(accountId, MicroUsd(1_000_000_000_000))
        const { key } = yield* accounts.issueKey({ account: accountId, environment: "live", tier: "pro" })
        yield* (yield* Webhooks).create(accountId, to.url, types)
        // Each charge of a month takes an agent to its cap: two events.
        const bots = yield* Effect.forEach(Array.from({ length: nodes + rounds + 1 }), (_, n) =>
          agents.create(accountId, `bot ${n}`, { monthlyCap: MicroUsd(cap) }),
        )
        // Several of them write to one receiver.
        const pauseMs = nodes === 1 ? 10 : 60
        return { host: to.host, accountId, keyId: key.id, agents: bots.map(({ id }) => id), keyFile, pauseMs }
      }).pipe(Effect.provide(operator))
      let events: ReadonlyArray<Event> = []
      let due: ReadonlyArray<string> = []
      return {
        given,
        rest: Effect.suspend(() => {
          due = events.map(({ id }) => id)
          to.answers(to.take)
          return Effect.promise(() => to.until(() => due.every((id) => to.taken.has(id))))
        }),
        book: (said, isLast) =>
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            events = yield* sql<Event>`SELECT id, data FROM outbox`
            const charges = new Map<string, number>()
            for (const { data } of events) {
              const { agent_id, period } = JSON.parse(data) as { readonly agent_id: string; readonly period: string }
              charges.set(`${agent_id} ${period}`, (charges.get(`${agent_id} ${period}`) ?? 0) + 1)
            }
            for (const line of said.flat()) strictEqual(charges.get(line), 2, `the events of ${line}`)
            const ids = new Set(events.map(({ id }) => id))
            const bodies = new Map<string, string>()
            for (const { id, body } of to.received) {
              ok(ids.has(id))
              strictEqual(JSON.parse(body).id, id)
              strictEqual(bodies.get(id) ?? body, body, `the bytes of ${id}`)
              bodies.set(id, body)
            }
            const dead = yield* Effect.flatMap(Webhooks, ({ deadLetters }) =>
              deadLetters(given.accountId, { limit: 1 }),
            )
            deepStrictEqual(dead, [])
            if (!isLast) return
            ok(due.length > rounds * 4)
            ok(to.received.length > due.length, "something was delivered more than once")
            yield* Effect.logInfo(`${events.length} events, ${to.received.length} deliveries`)
          }).pipe(Effect.provide(operator)),
      }
    }),
}
