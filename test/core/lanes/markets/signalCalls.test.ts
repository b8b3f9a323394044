import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { pricings } from "../../../../core/lanes/all.ts"
import * as overLanes from "../../../../core/lanes/markets/overLanes.ts"
import { SignalCalls } from "../../../../core/lanes/markets/ports.ts"
import { contract, noon } from "../../../support/contracts.ts"

describe("the call of a contract's signal", () => {
  it.effect("is that of the lane that prices it, and none of a lane that prices nothing", () =>
    Effect.gen(function* () {
      const { find } = yield* SignalCalls
      const weather = pricings.find(({ lane }) => lane === "weather")!
      assert.isDefined(find(contract(), noon))
      assert.deepStrictEqual(find(contract(), noon), weather.toSignalCall(contract(), noon))
      assert.isUndefined(find(contract({ lane: "filings" }), noon))
    }).pipe(Effect.provide(overLanes.layerSignalCalls(pricings))),
  )
})
