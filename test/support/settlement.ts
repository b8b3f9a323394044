import * as Effect from "effect/Effect"
import type { Caller } from "../../core/account/Keyring.ts"
import { type Charge, Ledger, type StoredReply } from "../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../core/account/Money.ts"
import type { Failure } from "../../core/Failure.ts"

export interface Asked {
  readonly accountId: string
  readonly keyId: string
  readonly requestId: string
  readonly micros: number
  readonly at: number
  readonly agentId?: string
  readonly livemode?: boolean
  readonly remember?: StoredReply
}

/** What the gateway asks of the ledger at the end of a call. */
export const settlementOf = (asked: Asked): Charge => {
  const { accountId, keyId, requestId, at, agentId, livemode = true, remember } = asked
  const list = MicroUsd(asked.micros)
  const caller: Caller = {
    accountId,
    keyId,
    livemode,
    perMinute: 6_000,
    ...(agentId === undefined ? {} : { agent: { id: agentId, paused: false } }),
  }
  return {
    caller,
    listMicros: list,
    chargedMicros: livemode ? list : zero,
    audit: {
      at,
      requestId,
      accountId,
      ...(agentId === undefined ? {} : { agentId }),
      keyId,
      endpoint: "weather_settlement",
      paramsHash: "",
      status: 200,
      charged: livemode ? list : zero,
      latencyMs: 1,
    },
    ...(remember === undefined ? {} : { reply: remember }),
  }
}

/** Settles through the ledger of the context; true when the call was let through. */
export const charge = (asked: Asked): Effect.Effect<boolean, Failure, Ledger> =>
  Effect.flatMap(Ledger, (ledger) => Effect.map(ledger.charge(settlementOf(asked)), ({ _tag }) => _tag === "Accepted"))
