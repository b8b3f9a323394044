import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { Crypto } from "../../../../core/lanes/crypto/Crypto.ts"
import { ActiveModel, blendT2, type Distribution, type PriceModel } from "../../../../core/lanes/crypto/distribution.ts"
import { CryptoLaws } from "../../../../core/lanes/crypto/ports.ts"
import type { Closes } from "../../../../core/lanes/crypto/volatility.ts"
import { asking, hour, week, window } from "../../../support/crypto.ts"

/** A model of a class, which counts how often it is asked. */
class Counted implements PriceModel {
  readonly version = "counted"
  readonly asked: Array<string> = []
  private readonly model: PriceModel | undefined
  constructor(model: PriceModel | undefined) {
    this.model = model
  }
  at(window: Closes, horizonMinutes: number, nowMillis: number): Distribution | undefined {
    this.asked.push(`at ${horizonMinutes}`)
    return this.model?.at(window, horizonMinutes, nowMillis)
  }
}

class CountedOver extends Counted {
  over(window: Closes) {
    this.asked.push("over")
    return (horizonMinutes: number, nowMillis: number) => this.at(window, horizonMinutes, nowMillis)
  }
}

/** The p_above of 60 and 5 minutes ahead, each asked twice in one minute. */
const asks = (model: PriceModel) => {
  const ask = asking(
    Layer.provide(Crypto.layer, [CryptoLaws.layerNone, Feeds.layerNone, Layer.succeed(ActiveModel, model)]),
  )
  return ask(window(week), (lane) =>
    Effect.forEach([60, 5, 60, 5], (horizon_minutes) =>
      lane.signal({ ...hour, horizon_minutes }).pipe(
        Effect.map(({ results }) => results.p_above),
        Effect.orElseSucceed(() => "no answer"),
      ),
    ),
  )
}

describe("an own model of the price", () => {
  for (const [name, model, expected] of [
    ["is asked once for each horizon", new Counted(blendT2), ["at 60", "at 5"]],
    ["is asked once for each horizon where it has no answer", new Counted(undefined), ["at 60", "at 5"]],
    ["may compute a part once for all horizons", new CountedOver(blendT2), ["over", "at 60", "at 5"]],
  ] as const) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const answers = yield* asks(model)
        assert.deepStrictEqual(model.asked, [...expected])
        assert.deepStrictEqual(answers.slice(0, 2), answers.slice(2))
      }),
    )
  }
})
