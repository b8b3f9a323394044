import type * as Watch from "../alerts/Watch.ts"
import type { ContractPricing } from "../contracts/ContractPricing.ts"
import * as Catalogue from "../endpoint/Catalogue.ts"
import type { Finds } from "../find/Findable.ts"
import type { Recompute } from "../record/captures/recompute.ts"
import { Baseball as baseball } from "./baseball/Baseball.ts"
import { Crypto as crypto } from "./crypto/Crypto.ts"
import { Filings as filings } from "./filings/mod.ts"
import { Football as football } from "./football/Football.ts"
import { Markets as markets } from "./markets/Markets.ts"
import { Weather as weather } from "./weather/Weather.ts"

/** A named type, which keeps the generated .d.ts short. */
type All = readonly [typeof weather, typeof football, typeof baseball, typeof crypto, typeof markets, typeof filings]

const lanes: All = [weather, football, baseball, crypto, markets, filings]

/** All market endpoints, including the one in development. */
export const catalogue: Catalogue.Catalogue<(typeof lanes)[number]["lane"]> = Catalogue.make(
  ...lanes.map(({ lane }) => lane),
)

export const recomputations: ReadonlyMap<string, Recompute> = new Map(
  lanes.flatMap(({ recomputations }) => Object.entries(recomputations)),
)

type Lanes = (typeof lanes)[number]
type Pricer<D> = D extends { readonly pricing?: ContractPricing<infer P, infer _S> } ? P : never
type Source<D> = D extends { readonly pricing?: ContractPricing<infer _P, infer S> } ? S : never

/** The lanes' pricing of venue contracts, and their settlement by the lanes' own sources. */
export const pricings: ReadonlyArray<ContractPricing<Pricer<Lanes>, Source<Lanes>>> = lanes.flatMap(
  ({ pricing }) => pricing ?? [],
)

/** What alerts can be set on. */
export const watches: ReadonlyArray<Watch.Any> = (lanes as ReadonlyArray<Pick<Lanes, "watches">>).flatMap(
  ({ watches }) => watches ?? [],
)

/** What can be found by name. */
export const finds: ReadonlyArray<Finds> = (lanes as ReadonlyArray<Pick<Lanes, "finds">>).flatMap(
  ({ finds }) => finds ?? [],
)
