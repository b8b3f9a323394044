import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Param from "../../core/endpoint/Param.ts"
import { Voids, voidable } from "../../core/lanes/weather/ports.ts"
import * as AdminOperation from "./AdminOperation.ts"

/** Values that sources have answered, as stored. */
export const sourceVerbs = {
  sourcesVoid: AdminOperation.make("sources_void", "POST sources/void", {
    summary:
      "Void a stored climate report or venue reading: it stays, is not read any more, and its contracts settle again",
    success: 201,
    params: Schema.Struct({
      source: Param.oneOf(voidable, "What is voided."),
      station: Param.text(8, "Station id, such as KNYC."),
      day: Param.day("Climate day."),
      version: Param.text(
        64,
        "Product id of a report, or revision of a reading; a wrong one is answered with those stored.",
      ),
      reason: Param.text(500, "Why; the settled rows show it."),
    }),
    results: Schema.Struct({
      contracts: Schema.Number.annotations({ description: "Settled contracts that the next round settles again." }),
    }),
    run: (one) => Effect.flatMap(Voids, ({ append }) => Effect.map(append(one), (contracts) => ({ contracts }))),
  }),
}
