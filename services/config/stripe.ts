import { isNonEmptyReadonlyArray } from "effect/Array"
import * as Config from "effect/Config"
import * as Redacted from "effect/Redacted"
import { secretKeyPattern } from "../../adapters/server/payments/stripe/provider.ts"
import { allOrNone, parsed, parseSecureUrl, secret, splitList, variable } from "./values.ts"

export const stripeVariables = {
  secretKey: variable(
    "STRIPE_SECRET_KEY",
    parsed(
      secret,
      (key) => (secretKeyPattern.test(Redacted.value(key)) ? key : undefined),
      "Expected a secret key of Stripe's: it begins with sk_test_, sk_live_, rk_test_ or rk_live_.",
    ),
    "secret key of the Stripe account that takes card payments; it needs the package stripe and a webhook secret",
  ),
  webhookSecrets: variable(
    "STRIPE_WEBHOOK_SECRET",
    parsed(
      secret,
      (text) => {
        const secrets = splitList(Redacted.value(text))
        const isRight = secrets.length <= 2 && secrets.every((each) => /^whsec_\S+$/.test(each))
        const redacted: ReadonlyArray<Redacted.Redacted> = secrets.map((each) => Redacted.make(each))
        return isRight && isNonEmptyReadonlyArray(redacted) ? redacted : undefined
      },
      "Expected the secret of a webhook endpoint, which begins with whsec_, or two with a comma between them.",
    ),
    "signing secret of the webhook endpoint <address>/payments/stripe in Stripe; during a rotation both, separated by a comma",
  ),
  apiUrl: variable(
    "STRIPE_API_URL",
    parsed(
      Config.string,
      (text) => {
        const url = parseSecureUrl(text)
        return url?.pathname === "/" ? url.origin : undefined
      },
      "Expected https and a host (or http and this machine), without a path or password.",
    ),
    "a host in place of Stripe's, for tests",
    { defaultText: "https://api.stripe.com" },
  ),
}

/** Card payments: off unless key and webhook secret are set. */
export const stripe = allOrNone(stripeVariables, ["secretKey", "webhookSecrets"])
