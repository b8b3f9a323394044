import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { CurrentCaller } from "../../../core/account/CurrentCaller.ts"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { cite, explain, step, when } from "../../../core/endpoint/explain.ts"
import * as Field from "../../../core/endpoint/Field.ts"
import * as Param from "../../../core/endpoint/Param.ts"
import * as Port from "../../../core/endpoint/Port.ts"
import { recorded } from "../../../core/lanes/confidence.ts"
import { dataTerms } from "../../../core/lanes/fields.ts"
import * as Lane from "../../../core/lanes/Lane.ts"

const Levels = Port.define("rivers/Levels")<{ readonly at: (gauge: string) => Effect.Effect<number> }>()
const Floods = Port.define("rivers/Floods")<{ readonly last: Effect.Effect<string> }>()

const shape = {
  ...dataTerms(0),
  summary: "The level at a gauge",
  example: { gauge: "A" },
  params: Schema.Struct({ gauge: Param.text(8, "The gauge.") }),
  results: Schema.Struct({ level_m: Field.quantity("ratio") }),
}

const level = Endpoint.make("/v1/rivers/level", {
  ...shape,
  ports: { levels: Levels, floods: Floods },
  answer: function* ({ gauge }, { levels, floods }, give) {
    const level_m = yield* levels.at(gauge)
    const flood = yield* floods.last
    return give({
      results: { level_m },
      explained: explain(
        "Looked at the river.",
        when(level_m > 9, () => "It is high."),
        step(`Read gauge ${gauge}.`, cite("gauges", gauge), cite("maps", gauge)),
        step(`The last flood was in ${flood}.`, cite("floods", flood)),
      ),
      confidence: recorded(1, "a reading"),
      record: {
        subject: { _tag: "Game", id: gauge },
        modelVersion: "one",
        at: 0,
        params: { gauge },
        output: () => ({ level_m }),
        inputs: () => ({ hash: "", put: "" }) as never,
        closeTime: 1,
      },
    })
  },
})

const caller = Endpoint.make("/v1/rivers/caller", {
  ...shape,
  ports: {},
  answer: function* (_, __, give) {
    const { startedAt } = yield* CurrentCaller
    return give({ results: { level_m: startedAt }, explained: explain(), confidence: recorded(1) })
  },
})

const Rivers = Lane.define("rivers", { description: "Levels of rivers.", endpoints: { level, caller } })

const levels = (freshness: Freshness, metres = 1) =>
  Layer.succeed(Levels, { freshness, at: () => Effect.succeed(metres) })
const floods = Layer.succeed(Floods, { freshness: "shadow", last: Effect.succeed("1997") })

const ask = (freshness: Freshness, metres?: number) =>
  Effect.flatMap(Rivers, (rivers) => rivers.level({ gauge: "A" })).pipe(
    Effect.provide(Layer.provide(Rivers.layer, [levels(freshness, metres), floods])),
  )

describe("a lane of endpoints with their answers", () => {
  it.effect("numbers the citations by the steps that are there", () =>
    Effect.gen(function* () {
      const low = yield* ask("live")
      assert.deepStrictEqual(low.reasoning, ["Looked at the river.", "Read gauge A.", "The last flood was in 1997."])
      assert.deepStrictEqual(
        low.citations.map(({ step, source }) => [step, source]),
        [
          [2, "gauges"],
          [2, "maps"],
          [3, "floods"],
        ],
      )
      const high = yield* ask("live", 10)
      assert.deepStrictEqual(
        high.citations.map(({ step }) => step),
        [3, 3, 4],
      )
    }),
  )

  it.effect("has the worst mode of the ports that are read, links and the record's names", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ask("live")).freshness, "shadow")
      const { freshness, links, record } = yield* ask("mock")
      assert.deepStrictEqual([freshness, links], ["mock", []])
      assert.deepInclude(record, { lane: "rivers", endpoint: "rivers_level", modelVersion: "one" })
    }),
  )

  it.effect("rounds as every lane does, and has the caller where an answer asks for it", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ask("live", 1.123456789)).results.level_m, 1.123457)
      const { results } = yield* Effect.provideService(Lane.method(caller, {})({ gauge: "A" }), CurrentCaller, {
        caller: { accountId: "a", keyId: "k", livemode: false, perMinute: 1 },
        startedAt: 7,
      })
      assert.strictEqual(results.level_m, 7)
    }),
  )

  it("needs its ports, and the caller, by its types", () => {
    // @ts-expect-error one of the ports is not there
    const short: Layer.Layer<Lane.Id<"rivers">> = Layer.provide(Rivers.layer, floods)
    const whole: Layer.Layer<Lane.Id<"rivers">> = Layer.provide(Rivers.layer, [levels("live"), floods])
    // @ts-expect-error the caller is not there
    const alone: Effect.Effect<unknown, unknown> = Lane.method(caller, {})({ gauge: "A" })
    assert.isTrue([short, whole, alone].every((one) => one !== undefined))
  })
})
