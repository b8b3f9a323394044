import * as Context from "effect/Context"
import * as Lane from "../../endpoint/Lane.ts"
import { endpoints } from "./endpoints.ts"

/** One method per endpoint of the lane. */
export interface BaseballMethods extends Lane.Methods<typeof endpoints> {}

export class Baseball extends Context.Tag("core/lanes/Baseball")<Baseball, BaseballMethods>() {
  static readonly lane: Lane.Lane<"baseball", typeof endpoints, Baseball> = Lane.make("baseball", endpoints, Baseball)
}
