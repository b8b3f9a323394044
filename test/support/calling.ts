import { strictEqual } from "node:assert"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Ledger } from "../../core/account/Ledger.ts"
import { type Spender, spend } from "./spender.ts"

/** Price of a paid call, and what a free one counts against caps, micro-dollars. */
export const price = 1_000
export const listPrice = 500

/** Free calls of a caller: a key's daily space for their idempotency keys is never used up. */
const mostFree = 200

/** A call, and whether its caller had an answer. */
export interface Outcome {
  readonly id: string
  /** The payer's place. */
  readonly payer: number
  /** A free call is repeated once with the same idempotency key: it counts against caps once. */
  readonly kind: "paid" | "free" | "repeat"
  /** False: the caller had a 503. */
  readonly isSettled: boolean
  /** Epoch milliseconds. */
  readonly begun: number
  readonly ended: number
}

export interface Calling {
  /** Of this node's request ids: letters and digits. */
  readonly prefix: string
  /** Callers of each payer. */
  readonly callers: number
  readonly isOver: () => boolean
  readonly report: (outcome: Outcome) => void
  /** The time that calls have. */
  readonly now?: () => number
}

/** Calls of each payer on one node until `isOver`: paid ones, and a few free ones that are repeated. */
export const calling = (
  payers: ReadonlyArray<Spender>,
  { prefix, callers, isOver, report, now = Date.now }: Calling,
) => {
  let calls = 0
  const one = (payer: number, kind: Outcome["kind"], key?: string) =>
    Effect.gen(function* () {
      const id = `req_h${prefix}${String(++calls).padStart(7, "0")}`
      const isPaid = kind === "paid"
      const begun = Date.now()
      // As the first call of an account reads its balance.
      const reads = isPaid ? Effect.void : Effect.flatMap(Ledger, ({ balance }) => balance(payers[payer]!.accountId))
      const result = yield* reads.pipe(
        Effect.zipRight(
          spend(payers[payer]!, isPaid ? price : listPrice, {
            ...{ requestId: id, at: now(), livemode: isPaid },
            // Too long to be stored: a repeat is settled again, and free.
            ...(isPaid ? {} : { remember: { key: key ?? id, requestHash: "hash", stored: "x".repeat(33_000) } }),
          }),
        ),
        Effect.either,
      )
      const isSettled = Either.isRight(result)
      if (Either.isRight(result)) strictEqual(result.right._tag, "Accepted")
      else strictEqual(result.left.code, "storage_unavailable")
      report({ id, payer, kind, isSettled, begun, ended: Date.now() })
      return isSettled ? id : undefined
    })
  const caller = (payer: number) =>
    Effect.gen(function* () {
      for (let [n, free] = [1, 0]; !isOver(); n++) {
        if (n % 8 === 0 && free++ < mostFree) {
          const key = yield* one(payer, "free")
          if (key !== undefined && !isOver()) yield* one(payer, "repeat", key)
        } else yield* one(payer, "paid")
        yield* Effect.sleep("5 millis")
      }
    })
  return Effect.forEach(Arr.cartesian([...payers.keys()], Arr.range(1, callers)), ([payer]) => caller(payer), {
    concurrency: "unbounded",
    discard: true,
  })
}
