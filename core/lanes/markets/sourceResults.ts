import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ContractPricing } from "../../contracts/ContractPricing.ts"
import { SourceResults } from "./ports.ts"

/** Results of contracts by the lanes' own sources: the final climate report, the tape, the final score. */
export const layer = <Source>(
  pricings: ReadonlyArray<ContractPricing<unknown, Source>>,
): Layer.Layer<SourceResults, never, Source> =>
  Layer.effect(
    SourceResults,
    Effect.map(Effect.context<Source>(), (context) => ({
      revisableDomains: new Set(pricings.flatMap(({ isRevisable, domain }) => (isRevisable ? [domain] : []))),
      of: (contracts) =>
        Effect.map(
          Effect.forEach(pricings, ({ observe }) => observe(contracts)),
          (observed) => ({
            results: new Map(observed.flatMap(({ results }) => [...results])),
            warnings: observed.flatMap(({ warnings }) => warnings),
          }),
        ).pipe(Effect.provide(context)),
    })),
  )
