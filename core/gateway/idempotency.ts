import * as Effect from "effect/Effect"
import { Ledger } from "../account/Ledger.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import { type Failure, fail } from "../Failure.ts"
import type { Call } from "./Call.ts"

/** What hints call the key where the transport has no name of its own for it. */
export const keyHeader = "Idempotency-Key"

const day = 86_400_000

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

const reused = ({ context: { idempotencyField: field = keyHeader } }: Call): Failure =>
  fail("idempotency_key_reused", {
    hints: [{ field, action: "change", suggestion: "Use a new UUIDv4 for another request." }],
  })

/** A paid answer that cannot be kept would be paid twice if it were asked for again: the call is not made. */
export const unkept = ({ context: { idempotencyField: field = keyHeader } }: Call, now: number): Failure =>
  fail("rate_limit_exceeded", {
    detail: `The answers kept for this API key's ${field} have used up their bytes of the day. Nothing was charged.`,
    retryAfterMs: day - (now % day),
    hints: [{ field, action: "remove", suggestion: `Call without ${field}, or wait for the next UTC day.` }],
  })

/** Idempotent calls: the same key with the same request within 24 hours is answered from the first, and charged once. */
export const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  /** Calls that this process is answering now: request hash by key. Calls of other processes meet in the settlement. */
  const running = new Map<string, string>()

  return {
    isKey: (key: string): boolean => uuid4.test(key),

    /**
     * Runs `first` with the key under its canonical spelling, or `again` with what the first call answered. While one
     * call runs, others with its key are refused; whatever becomes of it, it frees the key.
     */
    once: <A>(
      call: Call,
      keyId: string,
      given: string,
      requestHash: string,
      first: (key: string) => Effect.Effect<A, Failure>,
      again: (prepared: Envelope.Prepared) => A,
    ): Effect.Effect<A, Failure> =>
      Effect.suspend(() => {
        const key = given.toLowerCase()
        const name = `${keyId}/${key}`
        const other = running.get(name)
        if (other !== undefined) {
          return Effect.fail(
            other === requestHash ? fail("idempotency_in_progress", { retryAfterMs: 1_000 }) : reused(call),
          )
        }
        running.set(name, requestHash)
        return ledger.recall(keyId, key, call.startedAt).pipe(
          Effect.flatMap((before) => {
            if (before === undefined) return first(key)
            const { stored } = before
            if (before.requestHash !== requestHash) return Effect.fail(reused(call))
            // What cost nothing may not have been kept: the same call is made again.
            return stored === undefined ? first(key) : Effect.sync(() => again(Envelope.fromStored(stored)))
          }),
          Effect.ensuring(Effect.sync(() => running.delete(name))),
        )
      }),
  }
})
