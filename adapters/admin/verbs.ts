import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { accountVerbs } from "./accountVerbs.ts"
import { agentVerbs } from "./agentVerbs.ts"
import { alertVerbs } from "./alertVerbs.ts"
import { auditVerbs } from "./auditVerbs.ts"
import { keyVerbs } from "./keyVerbs.ts"
import { orderVerbs } from "./orderVerbs.ts"
import { peopleVerbs } from "./peopleVerbs.ts"
import { sourceVerbs } from "./sourceVerbs.ts"
import { webhookVerbs } from "./webhookVerbs.ts"

/** Every verb. */
export const verbs = (catalogue: Catalogue.Any) => ({
  ...accountVerbs,
  ...keyVerbs(catalogue),
  ...agentVerbs,
  ...auditVerbs,
  ...webhookVerbs,
  ...alertVerbs,
  ...orderVerbs,
  ...peopleVerbs,
  ...sourceVerbs,
})
