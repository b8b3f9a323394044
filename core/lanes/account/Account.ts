import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Catalogue from "../../endpoint/Catalogue.ts"
import * as Lane from "../Lane.ts"
import { key, wallet } from "./endpoints.ts"
import { Callable, find, Indexes } from "./find.ts"
import { Manage } from "./Manage.ts"
import { PlannedCatalogue, planEstimate } from "./plan.ts"

export type Account = Lane.Id<"account">
/** Endpoints for every key: its limits, caps, spend and wallet, the price of a plan of calls, and the search for calls. */
export const Account = Lane.define("account", {
  description:
    "Limits, caps, spend and wallet of the calling key, the cost of a plan of calls, and the search for calls.",
  about: "caller",
  endpoints: { key, wallet, planEstimate, find },
  inside: Indexes.layer,
})

/** @param catalogue endpoints that a plan may contain */
export const layer = (catalogue: Catalogue.Any) =>
  Layer.provide(Account.layer, [
    Layer.succeed(PlannedCatalogue, catalogue),
    Layer.effect(
      Callable,
      Effect.map(Effect.serviceOption(Manage), (manage) => withAccount(catalogue, Option.isSome(manage))),
    ),
  ])

/** @param manages whether this server keeps alerts and webhooks */
export const withAccount = (catalogue: Catalogue.Any, manages = true): Catalogue.Any =>
  Catalogue.make(...catalogue.lanes, Account.lane, ...(manages ? [Manage.lane] : []))

/** The account endpoints: free, so not part of the catalogue for sale. */
export const accountCatalogue: Catalogue.Catalogue<typeof Account.lane | typeof Manage.lane> = Catalogue.make(
  Account.lane,
  Manage.lane,
)
