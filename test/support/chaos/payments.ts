import { deepStrictEqual, ok, strictEqual } from "node:assert"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import * as accountStore from "../../../adapters/store/account/AccountStore.ts"
import { AccountStore } from "../../../core/account/AccountStore.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import type { Fact } from "../../../core/payment/Order.ts"
import { Payments } from "../../../core/payment/Payments.ts"
import { ledgers, sum } from "../accounts.ts"
import { book, expectedOf, message, paymentsOver, type Story, stories, toldOf } from "../paymentBook.ts"
import { storeAt } from "../place.ts"
import { say } from "../say.ts"
import type { Workload } from "./chaos.ts"

const orderCount = 300
const micros = 5_000_000

/** Messages under way in a program. */
const underWay = 4

interface Message {
  readonly orderId: string
  readonly fact: Fact
}

/** Stories have payments that do not match, which are logged. */
const silent = Effect.provide(Logger.remove(Logger.defaultLogger))

const paymentsAt = (place: string, facts: ReadonlyMap<string, ReadonlyArray<Fact>> = new Map()) =>
  paymentsOver(book(facts)).pipe(
    Layer.provideMerge(accountStore.layer),
    Layer.provideMerge(Layer.merge(secrets.layer, storeAt(place))),
  )

const taken = ({ orderId, fact }: Message) =>
  Effect.flatMap(Payments, ({ receive }) => receive("book", {}, message(orderId, fact)))

/** Takes a provider's messages in random order, some again and again, and says the number of each that it has answered. */
export const work = (place: string, messages: ReadonlyArray<Message>) => {
  const take = Effect.suspend(() => {
    const number = Math.floor(Math.random() * messages.length)
    return Effect.map(taken(messages[number]!), () => say(String(number)))
  })
  return Effect.all(
    Array.from({ length: underWay }, () => Effect.forever(take)),
    { concurrency: "unbounded" },
  ).pipe(silent, Effect.provide(paymentsAt(place)))
}

interface Told {
  readonly id: string
  readonly accountId: string
  readonly story: Story
}

/** Orders, each of an account of its own, with a story. */
const ordered = Effect.gen(function* () {
  const { begin } = yield* Payments
  const { insertAccount } = yield* AccountStore
  return yield* Effect.forEach(
    fc.sample(stories(micros), orderCount),
    (story, at) =>
      Effect.gen(function* () {
        const accountId = `acct_${String(at).padStart(26, "0")}`
        yield* insertAccount({ id: accountId, name: `owner ${at}`, tier: "indie", perMinute: 60, createdAt: 0 })
        const { order } = yield* begin({ accountId, micros: MicroUsd(micros) })
        return { id: order.id, accountId, story } satisfies Told
      }),
    { concurrency: 4 },
  )
})

/** Every message that was answered is in the books. */
const kept = (messages: ReadonlyArray<Message>, answered: ReadonlySet<number>) =>
  Effect.gen(function* () {
    const { find } = yield* Payments
    for (const number of answered) {
      const { orderId, fact } = messages[number]!
      const order = (yield* find(orderId))!
      ok(
        order.facts.some(({ kind, reference }) => kind === fact.kind && reference === fact.reference),
        `a message that was answered is lost: ${fact.kind} of ${orderId}`,
      )
      if (order.state === "paid" || order.state === "returned") strictEqual(order.creditedMicros, micros)
    }
  })

/** After all has been looked up, every order is credited and taken back as its story says, once. */
const closed = (orders: ReadonlyArray<Told>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { find, reconcile } = yield* Payments
    yield* silent(reconcile("all"))
    const again = yield* silent(reconcile("all"))
    deepStrictEqual([again.added, again.creditedMicros, again.takenBackMicros, again.unanswered], [0, 0, 0, []])
    for (const { id, accountId, story } of orders) {
      const { creditedMicros, takenBackMicros } = (yield* find(id))!
      const [wallet] = yield* sql<{ balance: number }>`
        SELECT balance_micros AS balance FROM wallets WHERE account_id = ${accountId}`
      deepStrictEqual({ creditedMicros, takenBackMicros, ...wallet }, expectedOf(micros, story), JSON.stringify(story))
    }
    strictEqual(sum(Object.values(yield* ledgers)), 0)
  })

export const payments: Workload = {
  name: "payments",
  prepare: ({ place }) =>
    Effect.gen(function* () {
      const orders = yield* Effect.provide(ordered, paymentsAt(place))
      const facts = new Map(orders.map((order) => [order.id, toldOf(order, order.story)]))
      const messages = [...facts].flatMap(
        ([orderId, all]): ReadonlyArray<Message> => all.map((fact) => ({ orderId, fact })),
      )
      return {
        given: messages,
        book: (said, isLast) =>
          Effect.gen(function* () {
            const answered = new Set(said.flat().map(Number))
            yield* kept(messages, answered)
            if (!isLast) return
            // The provider repeats half of what was not answered, and the books are compared.
            for (const [number, one] of messages.entries()) {
              if (!answered.has(number) && number % 2 === 0) yield* silent(taken(one))
            }
            yield* closed(orders)
            yield* Effect.logInfo(
              `${said.flat().length} messages answered, ${answered.size} of ${messages.length} different ones`,
            )
          }).pipe(Effect.provide(paymentsAt(place, facts))),
      }
    }),
}
