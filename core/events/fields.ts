import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Field from "../endpoint/Field.ts"
import * as Param from "../endpoint/Param.ts"
import { shaped } from "../endpoint/shaped.ts"
import { types } from "./Event.ts"
import * as Core from "./Webhook.ts"
import type { NewSecret as Made } from "./Webhooks.ts"

/** A webhook as the API, the admin API and the command line show it. */
export const Webhook = Schema.Struct({
  id: Field.text(),
  account: Field.text(),
  url: Field.text(),
  events: Schema.Array(Schema.Literal(...types)),
  status: Schema.Literal(...Core.statuses),
  created_at: Field.text(),
  previous_secret_until: Field.optional(Field.text()),
}).annotations({ identifier: "Webhook" })

const webhookShape = shaped(Webhook)

export const shape = (record: Core.Webhook): typeof Webhook.Type =>
  webhookShape({ ...record, account: record.accountId, previousSecretUntil: record.previousUntil })

/** The only answers with a secret. */
export const NewSecret = Schema.Struct({
  ...Webhook.fields,
  secret: Field.text(),
  warning: Field.optional(Field.text()),
}).annotations({ identifier: "NewSecret" })

export const showSecret = ({
  webhook,
  secret,
  ...rest
}: Made & { readonly warning?: string }): typeof NewSecret.Type => ({
  ...shape(webhook),
  secret: Redacted.value(secret),
  ...rest,
})

/** The parameters of a new webhook. */
export const request = {
  url: Param.text(2_048, "URL for events: https, with a public address; or mailto: and an address."),
  // Reserved names pass, since the core answers them with a hint of their own.
  events: Schema.Array(Param.text(64, "Event type."))
    .pipe(Schema.minItems(1), Schema.maxItems(16))
    .annotations({
      description: `Event types to send: ${types.join(", ")}.`,
      [Param.RuleAnnotation]: `a list of ${types.join(", ")}`,
    }),
}
