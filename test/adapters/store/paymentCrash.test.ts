import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { paymentKills } from "../../support/paymentKills.ts"
import { folder } from "../../support/store.ts"

const kills = Number(process.env["PAYMENT_KILLS"] ?? 50)

describe("a service that is killed while it takes payments", () => {
  it.scopedLive(
    `credits every order exactly once or not at all, ${kills} times`,
    () => Effect.flatMap(folder, (path) => paymentKills(join(path, "store.db"), kills, 1)),
    60_000 + kills * 3_000,
  )
})
