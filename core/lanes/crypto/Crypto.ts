import * as Context from "effect/Context"
import * as Lane from "../../endpoint/Lane.ts"
import { endpoints } from "./endpoints.ts"

/** One method per endpoint of the lane. */
export interface CryptoMethods extends Lane.Methods<typeof endpoints> {}

export class Crypto extends Context.Tag("core/lanes/Crypto")<Crypto, CryptoMethods>() {
  static readonly lane: Lane.Lane<"crypto", typeof endpoints, Crypto> = Lane.make("crypto", endpoints, Crypto)
}
