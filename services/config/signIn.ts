import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Settings } from "../../adapters/runtime/oidc/provider.ts"
import { choice, parsed } from "./values.ts"

const issuer = Config.option(
  parsed(
    "OIDC_ISSUER",
    Config.string("OIDC_ISSUER"),
    (text) => {
      const url = URL.canParse(text) ? new URL(text) : undefined
      if (url === undefined || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
        return undefined
      }
      const isLoopback = url.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
      return url.protocol === "https:" || isLoopback ? text : undefined
    },
    "Expected the provider's URL, https (or http on this machine), without query, fragment or password.",
  ),
)

const operators = Config.option(
  parsed(
    "OIDC_OPERATORS",
    Config.string("OIDC_OPERATORS"),
    (text) => {
      const [, claim, value] = /^([^=\s]+)=(\S.*)$/.exec(text) ?? []
      return claim === undefined || value === undefined ? undefined : { claim, value }
    },
    "Expected a claim and its value, such as groups=operators.",
  ),
)

/** Sign-in with an identity provider: off unless issuer, client and secret are set. */
const provider = Config.all({
  issuer,
  clientId: Config.option(Config.nonEmptyString("OIDC_CLIENT_ID")),
  clientSecret: Config.option(Config.redacted(Config.nonEmptyString("OIDC_CLIENT_SECRET"))),
  operators,
}).pipe(
  Config.mapOrFail((given): Either.Either<Option.Option<Settings>, ConfigError.ConfigError> => {
    const { issuer, clientId, clientSecret, operators } = given
    const set: Readonly<Record<string, boolean>> = {
      OIDC_ISSUER: Option.isSome(issuer),
      OIDC_CLIENT_ID: Option.isSome(clientId),
      OIDC_CLIENT_SECRET: Option.isSome(clientSecret),
    }
    const missing = Object.keys(set).find((name) => set[name] === false)
    const isOff = Option.isNone(operators) && Object.values(set).every((isSet) => !isSet)
    if (isOff) return Either.right(Option.none())
    if (missing !== undefined) {
      return Either.left(
        ConfigError.MissingData([missing], "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together."),
      )
    }
    return Either.right(
      Option.map(Option.all({ issuer, clientId, clientSecret }), (found) => ({
        ...found,
        ...Option.match(operators, { onNone: () => ({}), onSome: (value) => ({ operators: value }) }),
      })),
    )
  }),
)

/** How people sign in. `isOpen`: whoever the provider knows gets an account. */
export const signIn = Config.all({
  provider,
  isOpen: choice("SIGN_UP", ["open", "invited"]).pipe(
    Config.withDefault("invited" as const),
    Config.map((choice) => choice === "open"),
  ),
})
