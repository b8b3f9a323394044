import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { accountVerbs } from "./accountVerbs.ts"
import { agentVerbs } from "./agentVerbs.ts"
import { keyVerbs } from "./keyVerbs.ts"
import { webhookVerbs } from "./webhookVerbs.ts"

/** Everything an operator does with accounts, wallets, keys, agents and webhooks: for the command line and the admin surface. */
export const verbs = (catalogue: Catalogue.Any) => ({
  ...accountVerbs,
  ...keyVerbs(catalogue),
  ...agentVerbs,
  ...webhookVerbs,
})
