import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as accountStore from "../../adapters/store/account/AccountStore.ts"
import { AccountStore } from "../../core/account/AccountStore.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import type { Fact } from "../../core/payment/Order.ts"
import { Payments } from "../../core/payment/Payments.ts"
import { ledgers, sum } from "./accounts.ts"
import { killing } from "./killing.ts"
import { book, expectedOf, message, paymentsOver, type Story, stories, toldOf } from "./paymentBook.ts"
import { storeAt } from "./place.ts"
import * as processes from "./processes.ts"
import { folder } from "./store.ts"

const orderCount = 300

/** Messages that a node answers at least before it is killed. */
const lines = 20

/** Stories have payments that do not match, which are logged. */
const silent = Logger.withMinimumLogLevel(LogLevel.None)

interface Told {
  readonly id: string
  readonly accountId: string
  readonly micros: number
  readonly story: Story
}

/**
 * Nodes take a provider's messages about 300 orders in random order, many of them more than once, and are killed. Every
 * message that was answered is in the books; in the end every order is credited and taken back as its story says, once.
 *
 * @param place the store's file or URL; several nodes share a URL
 */
export const paymentKills = (place: string, kills: number, nodes: number, mortal: string = place) =>
  Effect.gen(function* () {
    const path = yield* folder
    const facts = new Map<string, ReadonlyArray<Fact>>()
    const layer = paymentsOver(book(facts)).pipe(
      Layer.provideMerge(accountStore.layer),
      Layer.provideMerge(Layer.merge(secrets.layer, storeAt(place))),
    )
    const micros = 5_000_000
    const told = yield* Effect.provide(
      Effect.gen(function* () {
        const { begin } = yield* Payments
        const { insertAccount } = yield* AccountStore
        return yield* Effect.forEach(
          fc.sample(stories(micros), orderCount),
          (story, at) =>
            Effect.gen(function* () {
              const accountId = `acct_${String(at).padStart(26, "0")}`
              yield* insertAccount({ id: accountId, name: `owner ${at}`, tier: "indie", perMinute: 60, createdAt: 0 })
              const { order } = yield* begin({ accountId, micros: MicroUsd(micros) })
              facts.set(order.id, toldOf(order, story))
              const one: Told = { id: order.id, accountId, micros, story }
              return one
            }),
          { concurrency: 4 },
        )
      }),
      layer,
    )
    const messages = told.flatMap(({ id }) => facts.get(id)!.map((fact) => ({ orderId: id, fact })))
    const file = join(path, "messages.json")
    writeFileSync(file, JSON.stringify(messages))
    const { all } = yield* Effect.promise(() =>
      killing({ nodes, kills, lines }, () => processes.start("test/support/paymentProcess.ts", [mortal, file])),
    )
    const answered = all.flatMap((child) => child.lines.slice(1).map(Number))
    assert.isAtLeast(answered.length, kills * lines)
    yield* Effect.provide(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { find, receive, reconcile } = yield* Payments
        for (const number of new Set(answered)) {
          const { orderId, fact } = messages[number]!
          const known = (yield* find(orderId))!
          assert.isTrue(
            known.facts.some(({ kind, reference }) => kind === fact.kind && reference === fact.reference),
            `a message that was answered is lost: ${fact.kind} of ${orderId}`,
          )
          if (known.state === "paid" || known.state === "returned") assert.strictEqual(known.credited, micros)
        }
        // The provider repeats all that was not answered, and the books are compared.
        const rest = new Set(answered)
        for (const [number, { orderId, fact }] of messages.entries()) {
          if (!rest.has(number) && number % 2 === 0) yield* silent(receive("book", {}, message(orderId, fact)))
        }
        yield* silent(reconcile("all"))
        const again = yield* silent(reconcile("all"))
        assert.deepStrictEqual(
          [again.added, again.creditedMicros, again.takenBackMicros, again.unanswered],
          [0, 0, 0, []],
        )
        for (const { id, accountId, micros, story } of told) {
          const known = (yield* find(id))!
          const [wallet] = yield* sql<{ balance: number }>`
            SELECT balance_micros AS balance FROM wallets WHERE account_id = ${accountId}`
          assert.deepStrictEqual(
            { credited: known.credited, takenBack: known.takenBack, balance: wallet!.balance },
            expectedOf(micros, story),
            JSON.stringify(story),
          )
        }
        assert.strictEqual(sum(Object.values(yield* ledgers)), 0)
        yield* Effect.logInfo(
          `${kills} kills: ${answered.length} messages answered, ${new Set(answered).size} of ${messages.length} different ones`,
        )
      }),
      layer,
    )
  })
