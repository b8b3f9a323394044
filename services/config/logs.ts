import * as Config from "effect/Config"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { choice, secret, secretNames, splitList, variable } from "./values.ts"

export const logs = {
  format: variable("LOG_FORMAT", choice(["json", "pretty", "logfmt"]), "json, pretty or logfmt, on standard error", {
    defaultText: "pretty on a terminal, else json",
  }),
  level: variable(
    "LOG_LEVEL",
    choice(["debug", "info", "warn", "error", "none"]),
    "debug, info, warn, error or none; debug has a line for every request",
    { default: "info" },
  ),
}

/** The settings of logs: `format` undefined is pretty on a terminal and JSON elsewhere; `secrets` are redacted by value. */
export const logging = Config.all({
  format: Config.map(logs.format.config, Option.getOrUndefined),
  level: logs.level.config,
  secrets: Config.map(
    // The reader of the variable reports faults of its file.
    Config.all(
      secretNames.map((name) => Config.orElse(Config.option(secret(name)), () => Config.succeed(Option.none()))),
    ),
    (secrets) =>
      secrets
        .flatMap(Option.toArray)
        .map(Redacted.value)
        // The variable of a webhook's secret may have two.
        .flatMap((given) => [given, ...splitList(given)]),
  ),
})
