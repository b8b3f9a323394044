import { isNonEmptyReadonlyArray } from "effect/Array"
import * as Config from "effect/Config"
import * as Redacted from "effect/Redacted"
import { keyForm } from "../../adapters/server/payments/stripe/provider.ts"
import { listed, parsed, parseSecureUrl, secret, together, variable } from "./values.ts"

export const stripeVariables = {
  secretKey: variable(
    "STRIPE_SECRET_KEY",
    parsed(
      secret,
      (key) => (keyForm.test(Redacted.value(key)) ? key : undefined),
      "Expected a secret key of Stripe's: it begins with sk_test_, sk_live_, rk_test_ or rk_live_.",
    ),
    "key of a Stripe account, whose pages credit wallets; it needs the package stripe and a webhook secret",
  ),
  webhookSecrets: variable(
    "STRIPE_WEBHOOK_SECRET",
    parsed(
      secret,
      (text) => {
        const secrets = listed(Redacted.value(text))
        const isRight = secrets.length <= 2 && secrets.every((each) => /^whsec_\S+$/.test(each))
        const redacted: ReadonlyArray<Redacted.Redacted> = secrets.map((each) => Redacted.make(each))
        return isRight && isNonEmptyReadonlyArray(redacted) ? redacted : undefined
      },
      "Expected the secret of a webhook endpoint, which begins with whsec_, or two with a comma between them.",
    ),
    "secret of the endpoint <address>/payments/stripe there; while it is rotated, two with a comma",
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
    "another host than Stripe's, for tests",
    { otherwise: "https://api.stripe.com" },
  ),
}

/** Payments by card: off unless key and secret are set. */
export const stripe = together(stripeVariables, ["secretKey", "webhookSecrets"])
