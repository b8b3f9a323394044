import * as Config from "effect/Config"
import { allOrNone, choice, parsed, parseSecureUrl, secret, variable } from "./values.ts"

const provider = {
  issuer: variable(
    "OIDC_ISSUER",
    parsed(
      Config.string,
      (text) => (parseSecureUrl(text) === undefined ? undefined : text),
      "Expected the provider's URL, https (or http on this machine), without query, fragment or password.",
    ),
    "OpenID Connect provider with which people sign in to the dashboard",
  ),
  clientId: variable("OIDC_CLIENT_ID", Config.nonEmptyString, "client ID from the identity provider"),
  clientSecret: variable(
    "OIDC_CLIENT_SECRET",
    secret,
    "client secret from the identity provider; register <address>/dashboard/oidc/callback there as the redirect URI",
  ),
  operators: variable(
    "OIDC_OPERATORS",
    parsed(
      Config.string,
      (text) => {
        const [, claim, value] = /^([^=\s]+)=(\S.*)$/.exec(text) ?? []
        return claim === undefined || value === undefined ? undefined : { claim, value }
      },
      "Expected a claim and its value, such as groups=operators.",
    ),
    "claim and value that mark an operator, such as groups=operators",
  ),
}

const signUp = variable(
  "SIGN_UP",
  choice(["open", "invited"]),
  "invited: only invited people can sign in; open: anyone whom the provider authenticates gets an account",
  { default: "invited" },
)

export const signInVariables = { ...provider, signUp }

/** Sign-in settings. Sign-in is off unless issuer, client ID and secret are set. */
export const signIn = Config.all({
  provider: allOrNone(provider, ["issuer", "clientId", "clientSecret"]),
  isOpen: Config.map(signUp.config, (choice) => choice === "open"),
})
