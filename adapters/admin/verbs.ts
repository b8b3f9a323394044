import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { accountVerbs } from "./accountVerbs.ts"
import { agentVerbs } from "./agentVerbs.ts"
import { alertVerbs } from "./alertVerbs.ts"
import { auditVerbs } from "./auditVerbs.ts"
import { keyVerbs } from "./keyVerbs.ts"
import { orderVerbs } from "./orderVerbs.ts"
import { peopleVerbs } from "./peopleVerbs.ts"
import { webhookVerbs } from "./webhookVerbs.ts"

/** All operator operations: accounts, wallets, keys, agents, webhooks, alerts, people and the audit trail. */
export const verbs = (catalogue: Catalogue.Any) => ({
  ...accountVerbs,
  ...keyVerbs(catalogue),
  ...agentVerbs,
  ...auditVerbs,
  ...webhookVerbs,
  ...alertVerbs,
  ...orderVerbs,
  ...peopleVerbs,
})
