import { isNonEmptyReadonlyArray } from "effect/Array"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { keyForm } from "../../adapters/server/payments/stripe/provider.ts"
import type { Settings } from "../../adapters/server/payments/stripe/settings.ts"
import { listed, parsed } from "./values.ts"

const secretKey = Config.option(
  parsed(
    "STRIPE_SECRET_KEY",
    Config.redacted("STRIPE_SECRET_KEY"),
    (key) => (keyForm.test(Redacted.value(key)) ? key : undefined),
    "Expected a secret key of Stripe's: it begins with sk_test_, sk_live_, rk_test_ or rk_live_.",
  ),
)

const webhookSecrets = Config.option(
  parsed(
    "STRIPE_WEBHOOK_SECRET",
    Config.redacted("STRIPE_WEBHOOK_SECRET"),
    (text) => {
      const secrets = listed(Redacted.value(text))
      const isRight = secrets.length <= 2 && secrets.every((secret) => /^whsec_\S+$/.test(secret))
      const found = secrets.map((secret) => Redacted.make(secret))
      return isRight && isNonEmptyReadonlyArray(found) ? found : undefined
    },
    "Expected the secret of a webhook endpoint, which begins with whsec_, or two with a comma between them.",
  ),
)

const apiUrl = Config.option(
  parsed(
    "STRIPE_API_URL",
    Config.string("STRIPE_API_URL"),
    (text) => {
      const url = URL.canParse(text) ? new URL(text) : undefined
      if (url === undefined || url.username !== "" || url.password !== "") return undefined
      if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return undefined
      const isLoopback = url.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
      return url.protocol === "https:" || isLoopback ? url.origin : undefined
    },
    "Expected https and a host (or http and this machine), without a path or password.",
  ),
)

/** Payments by card: off unless key and secret are set. */
export const stripe = Config.all({ secretKey, webhookSecrets, apiUrl }).pipe(
  Config.mapOrFail(
    ({ secretKey, webhookSecrets, apiUrl }): Either.Either<Option.Option<Settings>, ConfigError.ConfigError> => {
      if (Option.isNone(secretKey) && Option.isNone(webhookSecrets) && Option.isNone(apiUrl)) {
        return Either.right(Option.none())
      }
      const missing = Option.isNone(secretKey)
        ? "STRIPE_SECRET_KEY"
        : Option.isNone(webhookSecrets)
          ? "STRIPE_WEBHOOK_SECRET"
          : undefined
      return missing === undefined
        ? Either.right(
            Option.map(Option.all({ secretKey, webhookSecrets }), (found) => ({
              ...found,
              ...Option.match(apiUrl, { onNone: () => ({}), onSome: (url) => ({ apiUrl: url }) }),
            })),
          )
        : Either.left(ConfigError.MissingData([missing], "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together."))
    },
  ),
)
