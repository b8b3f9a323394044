import * as Effect from "effect/Effect"
import { Installation } from "../../../../../core/operation/Installation.ts"
import { Payments } from "../../../../../core/payment/Payments.ts"
import { day } from "../../../../../core/time.ts"
import { type Named, urgentFirst } from "../../../../server/http/condition/Condition.ts"
import { order as conditionOf } from "../../../../server/http/condition/ofAccount.ts"
import { deadLetters, due, failing } from "../../../../server/http/condition/ofService.ts"
import type { Operation } from "../../Operation.ts"
import { usd } from "../../parts.tsx"
import { accountPath } from "./frame.tsx"
import { readService } from "./serviceOf.ts"

/** Newest payments that are looked at. */
const paymentsRead = 50

/** Payments of all accounts that an operator has to decide about, each with the account's page. */
const readPayments = (now: number) =>
  Effect.map(
    Effect.flatMap(Payments, ({ page }) => page({ limit: paymentsRead })),
    (orders) =>
      orders.map((order): Named => {
        const condition = conditionOf(order, now)
        const next = { label: "Open account", href: accountPath(order.accountId) }
        return { name: `Payment of ${usd(order.micros)}, ${order.id}`, condition: { ...condition, next } }
      }),
  )

/** What an operator has to do something about, the worst first. */
export const urgentOfInstallation = (operation: Operation, now: number) =>
  Effect.gen(function* () {
    const { service } = yield* readService(operation, now)
    const { dueAt, dead, failing: count } = yield* (yield* Installation).deliveries(now - day)
    return urgentFirst([
      ...service.parts,
      ...(yield* readPayments(now)),
      ...(dueAt === undefined ? [] : [{ name: "Deliveries", condition: due(now - dueAt) }]),
      { name: "Webhooks", condition: failing(count) },
      { name: "Webhooks", condition: deadLetters(dead) },
    ])
  })
