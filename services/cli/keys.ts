import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../core/account/Accounts.ts"
import type { KeyRecord } from "../../core/account/AccountStore.ts"
import { environments } from "../../core/account/ApiKey.ts"
import * as Tier from "../../core/account/Tier.ts"
import { account, json, print, readable, store } from "./shared.ts"

const create = Command.make(
  "create",
  {
    account,
    env: Options.choice("env", environments),
    tier: Options.choice("tier", Tier.names),
    rpm: Options.optional(Options.integer("rpm")).pipe(
      Options.withDescription("Calls per minute of an enterprise key."),
    ),
    json,
  },
  ({ account: owner, env, tier, rpm, json: asJson }) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { key, plaintext } = yield* readable(
        accounts.issueKey({
          account: owner,
          environment: env,
          tier,
          ...(Option.isSome(rpm) ? { rpm: rpm.value } : {}),
        }),
      )
      yield* print(
        asJson,
        { id: key.id, key: Redacted.value(plaintext), environment: key.environment, tier, per_minute: key.perMinute },
        `${key.id}  ${Redacted.value(plaintext)}\nThe key is shown this once: only its hash is kept.`,
      )
    }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("Make an API key and show it once."))

const listed = (key: KeyRecord) => ({
  id: key.id,
  environment: key.environment,
  tier: key.tier,
  per_minute: key.perMinute,
  last_four: key.lastFour,
  created_at: new Date(key.createdAt).toISOString(),
  ...(key.revokedAt === undefined ? {} : { revoked_at: new Date(key.revokedAt).toISOString() }),
})

const list = Command.make("list", { account, json }, (options) =>
  Effect.gen(function* () {
    const keys = yield* readable((yield* Accounts).keys(options.account))
    yield* print(
      options.json,
      { keys: keys.map(listed) },
      keys
        .map(
          (key) =>
            `${key.id}  ${key.environment.padEnd(4)}  …${key.lastFour}  ${key.tier} ${key.perMinute}/min${
              key.revokedAt === undefined ? "" : `  revoked ${new Date(key.revokedAt).toISOString()}`
            }`,
        )
        .join("\n"),
    )
  }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("List the keys of an account by their last four characters."))

const revoke = Command.make("revoke", { key: Args.text({ name: "key" }), json }, (options) =>
  Effect.gen(function* () {
    yield* readable((yield* Accounts).revokeKey(options.key))
    yield* print(options.json, { id: options.key, revoked: true }, `revoked ${options.key}`)
  }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("Revoke a key by its id."))

export const keys = Command.make("keys").pipe(
  Command.withDescription("API keys."),
  Command.withSubcommands([create, list, revoke]),
)
