import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { environments } from "../../core/account/ApiKey.ts"
import * as Tier from "../../core/account/Tier.ts"
import { account, given, json, run, table, verbs } from "./shared.ts"
import { instant, span } from "./when.ts"

const key = Args.text({ name: "key" })
const once = "The key is shown this once: only its hash is kept."

const create = Command.make(
  "create",
  {
    account,
    env: Options.choice("env", environments),
    tier: Options.choice("tier", Tier.names),
    rpm: Options.optional(Options.integer("rpm")).pipe(
      Options.withDescription("Calls per minute of an enterprise key."),
    ),
    agent: Options.optional(Options.text("agent")).pipe(
      Options.withDescription("Id or name of the account's agent whose caps the key answers to."),
    ),
    scopes: Options.optional(Options.text("scopes")).pipe(
      Options.withDescription("Lanes that the key may call, separated by commas; all when left out."),
    ),
    expires: Options.optional(Options.text("expires")).pipe(
      Options.withDescription("When the key ends: in 30d, 12h, or at an instant such as 2027-01-31T00:00:00Z."),
    ),
    json,
  },
  ({ account, env, tier, rpm, agent, scopes, expires, json: asJson }) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      run(
        verbs.keysCreate,
        {
          account,
          environment: env,
          tier,
          ...given({
            rpm,
            agent,
            scopes: Option.map(scopes, (text) => text.split(",").map((name) => name.trim())),
            expires_at: Option.map(expires, (text) => instant(text, now)),
          }),
        },
        asJson,
        ({ id, key }) => `${id}  ${key}\n${once}`,
      ),
    ),
).pipe(Command.withDescription("Make an API key and show it once."))

const rotate = Command.make(
  "rotate",
  {
    key,
    overlap: Options.optional(
      Options.text("overlap").pipe(
        Options.filterMap((text) => Option.fromNullable(span(text)), "overlap must be a span such as 30m, 24h or 7d."),
        Options.withDescription("How long the old key goes on: 24h when left out, at most 30d."),
      ),
    ),
    json,
  },
  ({ key, overlap, json: asJson }) =>
    run(
      verbs.keysRotate,
      { key, ...given({ overlap_seconds: Option.map(overlap, (ms) => ms / 1_000) }) },
      asJson,
      ({ id, key, previous }) => `${id}  ${key}\n${once}\n${previous.id} ends ${previous.expires_at}.`,
    ),
).pipe(Command.withDescription("Make a key that may do the same and let the old one end after an overlap."))

const list = Command.make("list", { account, json }, (options) =>
  run(verbs.keysList, { account: options.account }, options.json, ({ keys }) =>
    table(
      keys.map((key) => [
        key.id,
        key.environment,
        `…${key.last_four}`,
        `${key.tier} ${key.per_minute}/min`,
        key.agent ?? "no agent",
        key.scopes?.join(",") ?? "all lanes",
        key.last_used_at === undefined ? "never used" : `used ${key.last_used_at}`,
        key.revoked_at !== undefined
          ? `revoked ${key.revoked_at}`
          : key.expires_at === undefined
            ? ""
            : `expires ${key.expires_at}`,
      ]),
    ),
  ),
).pipe(Command.withDescription("List the keys of an account by their last four characters."))

const revoke = Command.make("revoke", { key, json }, (options) =>
  run(verbs.keysRevoke, { key: options.key }, options.json, ({ id }) => `revoked ${id}`),
).pipe(Command.withDescription("Revoke a key by its id."))

export const keys = Command.make("keys").pipe(
  Command.withDescription("API keys."),
  Command.withSubcommands([create, list, rotate, revoke]),
)
