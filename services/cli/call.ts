import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { display } from "../../core/account/Money.ts"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as CommonOptions from "../../core/endpoint/Options.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"
import { catalogue } from "../../core/lanes/catalogue.ts"
import * as App from "../app.ts"
import { config as environment } from "../Config.ts"

/** The gateway over the configured store, in this process. */
const gateway = Layer.unwrapEffect(
  Effect.map(environment, (config) => App.gateway(config).pipe(Layer.provide(App.store(config)))),
)

/** Never an argument: arguments are visible in process lists. */
const key = Config.option(Config.redacted("MARKET_SIGNALS_KEY"))

/** One command per endpoint, its options the endpoint's own parameters; all text, decoded by the endpoint's schema. */
const commandOf = (entry: Catalogue.Entry) => {
  const { endpoint } = entry
  const names = Object.keys(CommonOptions.input(endpoint).fields)
  const options = Object.fromEntries(names.map((name) => [name, Options.optional(Options.text(name))]))
  return Command.make(endpoint.id, options, (given) =>
    Effect.gen(function* () {
      const entries = Object.entries(given).flatMap(([name, value]) =>
        Option.isSome(value) ? [[name, value.value] as const] : [],
      )
      const authorization = Option.map(yield* key, (secret) => `Bearer ${Redacted.value(secret)}`)
      const served = yield* Effect.flatMap(Gateway, ({ serve }) =>
        serve(entry, { _tag: "Text", entries }, { authorization: Option.getOrUndefined(authorization) }),
      )
      yield* Console.log(JSON.stringify(JSON.parse(served.body), null, 2))
      if (served.status !== 200) return yield* Effect.fail(new Error(`${endpoint.path} answered ${served.status}.`))
    }).pipe(Effect.provide(gateway)),
  ).pipe(Command.withDescription(`${endpoint.summary} (${display(endpoint.priceMicros)})`))
}

const [first, ...rest] = catalogue.entries.map(commandOf)

export const call = Command.make("call").pipe(
  Command.withDescription("Call an endpoint with the key in MARKET_SIGNALS_KEY, without a server."),
  Command.withSubcommands([first!, ...rest]),
)
