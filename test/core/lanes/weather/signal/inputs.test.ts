import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { initialStation } from "../../../../../core/lanes/weather/signal/calibration.ts"
import { readInputs, serializeInputs } from "../../../../../core/lanes/weather/signal/inputs.ts"
import type { OutlookInputs } from "../../../../../core/lanes/weather/signal/outlook.ts"
import { RecordInputs } from "../../../../../core/record/captures/RecordInputs.ts"
import { SyncSha256 } from "../../../../../core/record/log/SyncSha256.ts"
import { day, grid, hour, nyc, readings, start } from "../world.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()
const now = start + 10 * hour
const inputs = {
  ...{ station: nyc, day, now, observations: readings(now), versions: [] },
  ...{ grid: grid(), states: initialStation },
} as unknown as OutlookInputs

describe("the stored inputs of a weather signal", () => {
  it("share grid and states with those of another hour", () => {
    const [one, later] = [inputs, { ...inputs, now: now + hour }].map((each) => serializeInputs(each)(sha256))
    assert.notStrictEqual(one!.hash, later!.hash)
    assert.deepStrictEqual(
      one!.putShared.map(({ hash }) => hash),
      later!.putShared.map(({ hash }) => hash),
    )
    const other = serializeInputs({ ...inputs, grid: grid({ updatedAt: now }) })(sha256)
    assert.deepStrictEqual(
      other.putShared.map(({ hash }, at) => hash === one!.putShared[at]!.hash),
      [false, true],
    )
  })

  it.effect("are read back as they were", () =>
    Effect.gen(function* () {
      const { text, putShared } = serializeInputs(inputs)(sha256)
      yield* (yield* RecordInputs).keep(putShared)
      assert.deepStrictEqual(yield* readInputs(JSON.parse(text)), JSON.parse(JSON.stringify(inputs)))
    }).pipe(Effect.provide(RecordInputs.layerMemory()), Effect.provide(Layer.succeed(SyncSha256, { sha256 }))),
  )
})
