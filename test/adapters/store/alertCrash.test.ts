import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { alertKills } from "../../support/alertKills.ts"
import { folder } from "../../support/store.ts"

const kills = Number(process.env["ALERT_KILLS"] ?? 10)

describe("a runner of alerts that is killed", () => {
  it.scopedLive(
    `fires each crossing once and charges it once, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const crossings = yield* alertKills(join(yield* folder, "store.db"), kills, 1)
        assert.isAbove(crossings, kills)
        yield* Effect.log(`${kills} kills: ${crossings} crossings`)
      }),
    60_000 + kills * 5_000,
  )
})
