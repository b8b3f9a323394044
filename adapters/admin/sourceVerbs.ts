import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Param from "../../core/endpoint/Param.ts"
import { Voids, voidableSources } from "../../core/lanes/weather/ports.ts"
import * as AdminOperation from "./AdminOperation.ts"

/** Verbs for stored values of sources. */
export const sourceVerbs = {
  sourcesVoid: AdminOperation.make("sources_void", "POST sources/void", {
    summary:
      "Void a stored climate report or venue reading: it stays stored but is ignored, and its contracts are settled again",
    success: 201,
    params: Schema.Struct({
      source: Param.oneOf(voidableSources, "What is voided."),
      station: Param.text(8, "Station id, such as KNYC."),
      day: Param.day("Climate day."),
      version: Param.text(
        64,
        "Product id of a report, or revision of a reading; an unknown one is answered with the list of stored versions.",
      ),
      reason: Param.text(500, "Why; the settled rows show it."),
    }),
    results: Schema.Struct({
      contracts: Schema.Number.annotations({ description: "Number of contracts that will be settled again." }),
    }),
    run: (voided) => Effect.flatMap(Voids, ({ append }) => Effect.map(append(voided), (contracts) => ({ contracts }))),
  }),
}
