import * as Context from "effect/Context"
import * as Lane from "../../endpoint/Lane.ts"
import { endpoints } from "./endpoints.ts"

/** One method per endpoint of the lane. */
export interface FilingsMethods extends Lane.Methods<typeof endpoints> {}

export class Filings extends Context.Tag("core/lanes/Filings")<Filings, FilingsMethods>() {
  static readonly lane: Lane.Lane<"filings", typeof endpoints, Filings> = Lane.make("filings", endpoints, Filings)
}
