import * as Context from "effect/Context"
import * as Lane from "../../endpoint/Lane.ts"
import { endpoints } from "./endpoints.ts"

/** One method per endpoint of the lane. */
export interface MarketsMethods extends Lane.Methods<typeof endpoints> {}

export class Markets extends Context.Tag("core/lanes/Markets")<Markets, MarketsMethods>() {
  static readonly lane: Lane.Lane<"markets", typeof endpoints, Markets> = Lane.make("markets", endpoints, Markets)
}
