import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { paymentKills } from "../../../support/paymentKills.ts"
import { database } from "../../../support/postgres.ts"
import { mortal } from "../../../support/quiet.ts"

const kills = Number(process.env["PAYMENT_KILLS"] ?? 10)

describe("nodes that are killed while they take payments", () => {
  it.scopedLive(
    `credit every order exactly once or not at all, ${kills} times`,
    () => Effect.flatMap(database, (url) => paymentKills(Redacted.value(url), kills, 2, mortal(url))),
    60_000 + kills * 5_000,
  )
})
