import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { keyVerbs } from "../../adapters/admin/keyVerbs.ts"
import { abbreviateKey } from "../../core/account/ApiKey.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { command } from "./command.ts"
import { mapEffect, text } from "./parameters.ts"
import { family } from "./parser.ts"
import { table } from "./shared.ts"
import { durationOption, parseInstant } from "./timeArguments.ts"

const verbs = keyVerbs(catalogue)

const once = "Save this key now. Only its hash is stored."

const expires = mapEffect(text("expires", "Expiry: a duration (30d, 12h) or a time (2027-01-31T00:00:00Z)."), (given) =>
  Effect.map(Clock.currentTimeMillis, (now) => parseInstant(given, now)),
)

const overlap = durationOption(
  "overlap",
  "30m, 24h or 7d",
  "How long the old key stays valid (default 24h, at most 30d).",
)

export const keys = family("keys", "API keys.", [
  command("create", verbs.keysCreate, ({ id, key }) => `${id}  ${key}\n${once}`, { expires_at: expires }),
  command("list", verbs.keysList, ({ keys }) =>
    table(
      keys.map((key) => [
        key.id,
        key.name ?? "no name",
        abbreviateKey({ environment: key.environment, lastFour: key.last_four }),
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
  command(
    "rotate",
    verbs.keysRotate,
    ({ id, key, previous }) => `${id}  ${key}\n${once}\n${previous.id} expires ${previous.expires_at}.`,
    { overlap_seconds: overlap },
  ),
  command("revoke", verbs.keysRevoke, ({ id }) => `revoked ${id}`),
])
