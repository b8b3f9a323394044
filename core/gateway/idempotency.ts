import * as Effect from "effect/Effect"
import { Ledger } from "../account/Ledger.ts"
import { zero } from "../account/Money.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import { change, type Failure, fail } from "../Failure.ts"
import * as Step from "../Step.ts"
import { day } from "../time.ts"
import type { Call } from "./Call.ts"
import type { Finished } from "./Served.ts"
import * as SealedReplies from "./sealedReplies.ts"

/** Name of the key in hints, unless the transport has another name for it. */
export const keyHeader = "Idempotency-Key"

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

const keyReusedFailure = ({ context: { idempotencyField: field = keyHeader } }: Call): Failure =>
  fail("idempotency_key_reused", { hints: [change(field, "Use a new UUIDv4 for another request.")] })

/** The failure of a paid call whose answer cannot be stored: without a stored answer a repetition would be charged again. */
export const replyQuotaFailure = ({ context: { idempotencyField: field = keyHeader } }: Call, now: number): Failure =>
  fail("rate_limit_exceeded", {
    detail: `The answers stored for this API key's ${field} have reached the daily size limit. Nothing was charged.`,
    retryAfterMs: day - (now % day),
    hints: [{ field, action: "remove", suggestion: `Call without ${field}, or wait for the next UTC day.` }],
  })

export const isKey = (key: string): boolean => uuid4.test(key)

/** Idempotent calls: a repetition with the same key and request within 24 hours returns the stored answer, free. */
export const make = Effect.gen(function* () {
  const recall = Step.eager((yield* Ledger).recall)
  const sealed = yield* SealedReplies.make
  /** Running calls of this process: request hash by key. The settlement detects those of other processes. */
  const running = new Map<string, string>()

  const replayOrRun = Step.fn(function* (
    call: Call,
    keyId: string,
    key: string,
    requestHash: string,
    first: (key: string) => Step.Step<Finished, Failure>,
  ) {
    const earlier = yield* recall(keyId, key, call.startedAt)
    if (earlier === undefined) return yield* first(key)
    if (earlier.requestHash !== requestHash) return yield* keyReusedFailure(call)
    const stored = sealed.open(keyId, key, earlier.stored)
    // A free call's answer may not be stored: the call runs again.
    if (stored === undefined) return yield* first(key)
    const prepared = Envelope.fromStored(stored)
    const finished: Finished = { answer: undefined, prepared, charged: zero, replayed: true }
    return finished
  })

  return {
    /**
     * Runs `first` with the key in lower case, or returns the first call's answer. While a call runs, others with its
     * key fail with `idempotency_in_progress`; the key is free again when the call ends, failed or not.
     */
    once: Step.fn(function* (
      call: Call,
      keyId: string,
      given: string,
      requestHash: string,
      first: (key: string) => Step.Step<Finished, Failure>,
    ) {
      const key = given.toLowerCase()
      const name = `${keyId}/${key}`
      const other = running.get(name)
      if (other !== undefined) {
        return yield* other === requestHash
          ? fail("idempotency_in_progress", { retryAfterMs: 1_000 })
          : keyReusedFailure(call)
      }
      running.set(name, requestHash)
      return yield* Step.ensuring(replayOrRun(call, keyId, key, requestHash, first), () => void running.delete(name))
    }),
  }
})
