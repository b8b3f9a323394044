import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Accounts, maxOverlap } from "../../core/account/Accounts.ts"
import { environments } from "../../core/account/ApiKey.ts"
import type { NewKey } from "../../core/account/KeyRequest.ts"
import * as Tier from "../../core/account/Tier.ts"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { manageScope } from "../../core/rights/Rights.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { accountParam, keyParam, rpm } from "./inputs.ts"
import { list } from "./list.ts"
import * as shapes from "./shapes.ts"

const accountService = Effect.serviceFunctions(Accounts)

const toNewKey = ({ key: record, plaintext }: NewKey): typeof shapes.NewKey.Type => ({
  ...shapes.key(record),
  key: Redacted.value(plaintext),
})

const scopesIn = (lanes: Catalogue.Any["lanes"]) => {
  const [lane, ...others] = lanes.map(({ name }) => name)
  const scope = Param.oneOf([lane!, ...others, manageScope], "A lane of the catalogue, or `manage`.")
  return Param.optional(
    Schema.Array(scope).pipe(Schema.minItems(1)).annotations({
      description:
        "What the key may call. Absent: every lane, but not `manage`. Given: only these. `manage` lets the key make and delete alerts and webhooks; alone it can call no lane.",
    }),
  )
}

/** Verbs for API keys, which may be limited to lanes of the catalogue. */
export const keyVerbs = ({ lanes }: Catalogue.Any) => ({
  keysCreate: AdminOperation.make("keys_create", "POST accounts/:account/keys", {
    summary: "Create an API key; only this answer shows it",
    success: 201,
    leastRole: "owner",
    operatorOnly: ["tier", "rpm"],
    params: Schema.Struct({
      ...accountParam,
      environment: Param.oneOf(environments, "Test keys are free."),
      tier: Param.optional(Param.oneOf(Tier.names, "Sets the calls per minute (default: the account's).")),
      rpm: Param.optional(rpm),
      name: Param.optional(Param.text(64, "Name of the key, for you to recognise it.")),
      agent: Param.optional(
        Param.text(64, "Agent (id or name) whose spending caps apply; without one the key has no cap of its own."),
      ),
      scopes: scopesIn(lanes),
      expires_at: Param.optional(shapes.instant.annotations({ description: "Expiry (default: never)." })),
    }),
    results: shapes.NewKey,
    run: ({ expires_at, ...request }) =>
      Effect.map(
        accountService.issueKey({
          ...request,
          ...(expires_at === undefined ? {} : { expiresAt: Date.parse(expires_at) }),
        }),
        toNewKey,
      ),
  }),

  keysList: list("keys_list", "accounts/:account/keys", {
    leastRole: "viewer",
    summary: "List an account's keys, newest first, each with only its last four characters",
    params: accountParam,
    rows: ["keys", shapes.Key],
    key: ({ id }) => id,
    read: ({ account }, page) => accountService.keys(account, page),
    show: shapes.key,
  }),

  keysRotate: AdminOperation.make("keys_rotate", "POST keys/:key/rotate", {
    leastRole: "owner",
    summary: "Rotate a key: same rights, the old key expires after the overlap",
    success: 201,
    params: Schema.Struct({
      ...keyParam,
      overlap_seconds: Param.optional(
        Param.integer(0, maxOverlap / 1_000, "Seconds that the old key stays valid (default 24 h, at most 30 d)."),
      ),
    }),
    results: Schema.Struct({ ...shapes.NewKey.fields, previous: shapes.Key }),
    run: Effect.fnUntraced(function* ({ key, overlap_seconds }) {
      const overlapMs = overlap_seconds === undefined ? undefined : overlap_seconds * 1_000
      const rotated = yield* accountService.rotateKey(key, overlapMs)
      return { ...toNewKey(rotated), previous: shapes.key(rotated.previous) }
    }),
  }),

  keysRevoke: AdminOperation.make("keys_revoke", "POST keys/:key/revoke", {
    leastRole: "owner",
    summary: "Revoke a key permanently",
    params: Schema.Struct(keyParam),
    results: Schema.Struct({ id: Schema.String, revoked: Schema.Literal(true) }),
    run: ({ key }) => Effect.as(accountService.revokeKey(key), { id: key, revoked: true as const }),
  }),
})
