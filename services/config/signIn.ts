import * as Config from "effect/Config"
import { choice, parsed, parseSecureUrl, together, variable } from "./values.ts"

const provider = {
  issuer: variable(
    "OIDC_ISSUER",
    parsed(
      Config.string,
      (text) => parseSecureUrl(text) && text,
      "Expected the provider's URL, https (or http on this machine), without query, fragment or password.",
    ),
    "OpenID Connect provider with which people sign in to the dashboard",
  ),
  clientId: variable("OIDC_CLIENT_ID", Config.nonEmptyString, "client ID from the identity provider"),
  clientSecret: variable(
    "OIDC_CLIENT_SECRET",
    (name) => Config.redacted(Config.nonEmptyString(name)),
    "its secret; the redirect is <address>/dashboard/oidc/callback",
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
    "claim=value of operators, such as groups=operators",
  ),
}

const signUp = variable(
  "SIGN_UP",
  choice(["open", "invited"]),
  "invited, or open: whoever the provider knows gets an account of their own",
  { default: "invited" },
)

export const signInVariables = { ...provider, signUp }

/** How people sign in: off unless issuer, client and secret are set. `isOpen`: whoever the provider knows gets an account. */
export const signIn = Config.all({
  provider: together(provider, ["issuer", "clientId", "clientSecret"]),
  isOpen: Config.map(signUp.config, (choice) => choice === "open"),
})
