import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Freshness } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import type { Failure } from "../../Failure.ts"
import type { filing } from "./endpoints.ts"

type Results = Endpoint.Results<typeof filing>

/** A filing and its sections, in the order of the form. */
export interface Filed {
  readonly filing: Results["filing"]
  readonly sections: Results["sections"]
}

/** Read port: filings by accession number. */
export class FilingArchive extends Context.Tag("market-signals/core/lanes/filings/FilingArchive")<
  FilingArchive,
  {
    readonly freshness: Freshness
    /** Undefined for an unknown filing. */
    readonly get: (accessionNumber: string) => Effect.Effect<Filed | undefined, Failure>
    /** The previous filing of the same company and form type. */
    readonly prior: (filed: Filed) => Effect.Effect<Filed | undefined, Failure>
  }
>() {}
