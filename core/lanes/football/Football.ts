import * as Context from "effect/Context"
import * as Lane from "../../endpoint/Lane.ts"
import { endpoints } from "./endpoints.ts"

/** One method per endpoint of the lane. */
export interface FootballMethods extends Lane.Methods<typeof endpoints> {}

export class Football extends Context.Tag("core/lanes/Football")<Football, FootballMethods>() {
  static readonly lane: Lane.Lane<"football", typeof endpoints, Football> = Lane.make("football", endpoints, Football)
}
