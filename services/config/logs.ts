import * as Config from "effect/Config"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { choice, listed, secret, secretNames, variable } from "./values.ts"

/** Log format and level. */
export const logs = {
  format: variable("LOG_FORMAT", choice(["json", "pretty", "logfmt"]), "json, pretty or logfmt, on standard error", {
    otherwise: "pretty on a terminal, else json",
  }),
  level: variable(
    "LOG_LEVEL",
    choice(["debug", "info", "warn", "error", "none"]),
    "debug, info, warn, error or none; debug has a line for every request",
    { default: "info" },
  ),
}

/** The same, where undefined is pretty on a terminal and JSON elsewhere, and the secrets to redact by value. */
export const logging = Config.all({
  format: Config.map(logs.format.config, Option.getOrUndefined),
  level: logs.level.config,
  secrets: Config.map(
    // Who reads the variable says what is wrong with its file.
    Config.all(
      secretNames.map((name) => Config.orElse(Config.option(secret(name)), () => Config.succeed(Option.none()))),
    ),
    (secrets) =>
      secrets
        .flatMap(Option.toArray)
        .map(Redacted.value)
        // One of a webhook may be two.
        .flatMap((given) => [given, ...listed(given)]),
  ),
})
