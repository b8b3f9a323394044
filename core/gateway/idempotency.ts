import * as Effect from "effect/Effect"
import { Ledger } from "../account/Ledger.ts"
import { zero } from "../account/Money.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import { type Failure, fail } from "../Failure.ts"
import { day } from "../time.ts"
import type { Call } from "./Call.ts"
import type { Finished } from "./Served.ts"

/** What hints call the key where the transport has no name of its own for it. */
export const keyHeader = "Idempotency-Key"

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

const reused = ({ context: { idempotencyField: field = keyHeader } }: Call): Failure =>
  fail("idempotency_key_reused", {
    hints: [{ field, action: "change", suggestion: "Use a new UUIDv4 for another request." }],
  })

/** A paid answer that cannot be kept would be paid twice if it were asked for again: the call is not made. */
export const notStorable = ({ context: { idempotencyField: field = keyHeader } }: Call, now: number): Failure =>
  fail("rate_limit_exceeded", {
    detail: `The answers kept for this API key's ${field} have used up their bytes of the day. Nothing was charged.`,
    retryAfterMs: day - (now % day),
    hints: [{ field, action: "remove", suggestion: `Call without ${field}, or wait for the next UTC day.` }],
  })

export const isKey = (key: string): boolean => uuid4.test(key)

/** Idempotent calls: the same key with the same request within 24 hours is answered from the first, and charged once. */
export const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  /** Calls that this process is answering now: request hash by key. Calls of other processes meet in the settlement. */
  const running = new Map<string, string>()

  const answered = Effect.fnUntraced(function* (
    call: Call,
    keyId: string,
    key: string,
    requestHash: string,
    first: (key: string) => Effect.Effect<Finished, Failure>,
  ): Effect.fn.Return<Finished, Failure> {
    const before = yield* ledger.recall(keyId, key, call.startedAt)
    if (before === undefined) return yield* first(key)
    if (before.requestHash !== requestHash) return yield* reused(call)
    // What cost nothing may not have been kept: the same call is made again.
    if (before.stored === undefined) return yield* first(key)
    return { answer: undefined, prepared: Envelope.fromStored(before.stored), charged: zero, replayed: true }
  })

  return {
    /**
     * Runs `first` with the key under its canonical spelling, or answers as the first call was answered. While one call
     * runs, others with its key are refused; however it ends, it frees the key.
     */
    once: Effect.fnUntraced(function* (
      call: Call,
      keyId: string,
      given: string,
      requestHash: string,
      first: (key: string) => Effect.Effect<Finished, Failure>,
    ): Effect.fn.Return<Finished, Failure> {
      const key = given.toLowerCase()
      const name = `${keyId}/${key}`
      const other = running.get(name)
      if (other !== undefined) {
        return yield* other === requestHash ? fail("idempotency_in_progress", { retryAfterMs: 1_000 }) : reused(call)
      }
      running.set(name, requestHash)
      return yield* Effect.ensuring(
        answered(call, keyId, key, requestHash, first),
        Effect.sync(() => running.delete(name)),
      )
    }),
  }
})
