/**
 * A node that takes a payment provider's messages, for tests that kill it: says `ready`, waits for a line, then takes
 * messages of a file in random order, some of them again and again and several at a time, and writes the number of every
 * message that it has answered.
 *
 * Arguments: the file or URL of the store, the file of the messages (JSON: order and fact).
 */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import type { Fact } from "../../core/payment/Order.ts"
import { Payments } from "../../core/payment/Payments.ts"
import { book, message, paymentsOver } from "./paymentBook.ts"
import { storeAt } from "./place.ts"
import { say } from "./say.ts"

/** Messages under way. */
const underWay = 4

const [place = "", file = ""] = process.argv.slice(2)

const messages = JSON.parse(readFileSync(file, "utf8")) as ReadonlyArray<{
  readonly orderId: string
  readonly fact: Fact
}>

const take = Effect.gen(function* () {
  const { receive } = yield* Payments
  const number = Math.floor(Math.random() * messages.length)
  const { orderId, fact } = messages[number]!
  yield* receive("book", {}, message(orderId, fact))
  say(String(number))
})

say("ready")
await once(process.stdin, "data")
await Effect.runPromise(
  Effect.all(
    Array.from({ length: underWay }, () => Effect.forever(take)),
    { concurrency: "unbounded" },
  ).pipe(
    // The lines are numbers alone.
    Effect.provide(Logger.remove(Logger.defaultLogger)),
    Effect.provide(paymentsOver(book(new Map())).pipe(Layer.provide(Layer.merge(secrets.layer, storeAt(place))))),
  ),
)
