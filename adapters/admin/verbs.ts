import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { accountVerbs } from "./accountVerbs.ts"
import { agentVerbs } from "./agentVerbs.ts"
import { keyVerbs } from "./keyVerbs.ts"

/** Everything an operator does with accounts, wallets, keys and agents: for the command line and the admin surface. */
export const verbs = (catalogue: Catalogue.Any) => ({ ...accountVerbs, ...keyVerbs(catalogue), ...agentVerbs })
