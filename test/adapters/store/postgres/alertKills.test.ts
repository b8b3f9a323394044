import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { alertKills } from "../../../support/alertKills.ts"
import { database } from "../../../support/postgres.ts"

const kills = Number(process.env["PG_ALERT_KILLS"] ?? 5)

describe("runners of alerts on three nodes that are killed", () => {
  it.scopedLive(
    `fire each crossing once and charge it once, ${kills} times`,
    () =>
      Effect.gen(function* () {
        assert.isAbove(yield* alertKills(Redacted.value(yield* database), kills, 3), kills)
      }),
    60_000 + kills * 5_000,
  )
})
