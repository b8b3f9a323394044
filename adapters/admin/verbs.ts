import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { accountVerbs } from "./accountVerbs.ts"
import { agentVerbs } from "./agentVerbs.ts"
import { auditVerbs } from "./auditVerbs.ts"
import { keyVerbs } from "./keyVerbs.ts"
import { webhookVerbs } from "./webhookVerbs.ts"

/** Everything an operator does with accounts, wallets, keys, agents, webhooks and the audit trail: for the command line and the admin surface. */
export const verbs = (catalogue: Catalogue.Any) => ({
  ...accountVerbs,
  ...keyVerbs(catalogue),
  ...agentVerbs,
  ...auditVerbs,
  ...webhookVerbs,
})
