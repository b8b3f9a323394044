import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { alertKills } from "../../support/alertKills.ts"
import { folder } from "../../support/store.ts"

const kills = Number(process.env["ALERT_KILLS"] ?? 10)

describe("runners of alerts that are killed", () => {
  it.scopedLive(
    `fire each crossing once and charge it once, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const crossings = yield* alertKills(join(yield* folder, "store.db"), kills, 2)
        assert.isAbove(crossings, kills)
        yield* Effect.log(`${kills} kills: ${crossings} crossings`)
      }),
    60_000 + kills * 5_000,
  )
})
