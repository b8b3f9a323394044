import * as Effect from "effect/Effect"
import type { Settings } from "../../../adapters/server/payments/x402/settings.ts"
import { make, type Options } from "../../../adapters/server/payments/x402/x402.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import type { Failure } from "../../../core/Failure.ts"
import type { CallPayments, NotSent, OfferedPayment, Reverted } from "../../../core/payment/CallPayment.ts"
import type { Fact, Order } from "../../../core/payment/Order.ts"
import type { Signed, World } from "./world.ts"

/** Short enough for tests, long enough for a chain on this machine. */
export const limits = { verify: 1_500, send: 1_500, settle: 1_000, take: 2_800 } as const

let orders = 0

export const orderOf = (micros: number, createdAt = Date.now()): Order => ({
  id: `txn_${++orders}`,
  accountId: "acc",
  provider: "x402",
  micros: MicroUsd(micros),
  createdAt,
})

export const openedOf = ({ reference, endsAt }: Pick<OfferedPayment, "reference" | "endsAt">) =>
  ({ kind: "opened", reference, endsAt }) as const satisfies Fact

/** A failure as a table shows it: its code, and the fields that its hints name. */
export const told = (error: Failure | NotSent | Reverted): string => {
  const { code, hints = [] } = error._tag === "Failure" ? error : error.failure
  return [code, ...hints.map(({ field }) => field)].join(" ")
}

/** The failure that an effect must have. */
export const refusedBy = <A>(effect: Effect.Effect<A, Failure | NotSent | Reverted>): Effect.Effect<string> =>
  Effect.match(effect, { onFailure: told, onSuccess: () => "no failure" })

export const payments = (world: World, given: Partial<Settings> = {}, options: Options = {}): Promise<CallPayments> =>
  world.settings(given).then((settings) => Effect.runPromise(make(settings, { limits, ...options })))

/** Reads a payment of some micro-dollars and asks the network, which no refusal stops. */
export const offered = (
  adapter: CallPayments,
  { header }: Signed,
  micros: number,
): Effect.Effect<OfferedPayment, Failure> =>
  Effect.tap(adapter.read(header, [MicroUsd(micros)]), ({ isUsed }) => isUsed)
