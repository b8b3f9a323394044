import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../core/endpoint/Failure.ts"
import * as App from "../app.ts"
import { config as environment } from "../Config.ts"

export const json = Options.boolean("json").pipe(Options.withDescription("Print one JSON object."))
export const account = Options.text("account").pipe(Options.withDescription("Id or name of the account."))

/** The store, opened for one command beside a running server. */
export const store = Layer.unwrapEffect(Effect.map(environment, App.store))

/** One JSON object for programs, lines for people. */
export const print = (asJson: boolean, value: Readonly<Record<string, unknown>>, text: string): Effect.Effect<void> =>
  Console.log(asJson ? JSON.stringify(value) : text)

/** A failure as a person reads it: its sentence, then each hint. */
export const readable = <A, R, E>(effect: Effect.Effect<A, E | Failure, R>): Effect.Effect<A, E | Error, R> =>
  Effect.mapError(effect, (error) => {
    if (!(typeof error === "object" && error !== null && "_tag" in error && error._tag === "Failure")) return error as E
    const { message, hints = [] } = error as Failure
    return new Error([message, ...hints.map((hint) => `  ${hint.field}: ${hint.suggestion}`)].join("\n"))
  })
