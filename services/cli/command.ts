import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type * as Schema from "effect/Schema"
import type { AdminOperation } from "../../adapters/admin/AdminOperation.ts"
import { fieldsOf, rangeText } from "../../adapters/admin/fields.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as Shape from "../../core/endpoint/Shape.ts"
import { UsageError } from "../exit.ts"
import { makeAsk } from "./ask.ts"
import { argument, choice, decimal, flag, integer, optional, type Parameter, parsed, text } from "./parameters.ts"
import { make } from "./parser.ts"
import { json, print, readable, usdOption, usdOrNoneOption } from "./shared.ts"

/** Path parameters that are options: only the path's last parameter is the command's argument. */
const optionsInPath = new Set(["account", "month"])

const isArgument = (inPath: ReadonlySet<string>, field: string): boolean =>
  inPath.has(field) && !optionsInPath.has(field)

const renamed: Readonly<Record<string, string>> = { environment: "env", micros: "usd" }

/** `monthly_cap_micros` → `monthly-cap-usd`: the command line takes dollars. */
const optionName = (field: string): string => renamed[field] ?? field.replace(/_micros$/, "_usd").replaceAll("_", "-")

const isMoney = (field: string): boolean => field.endsWith("micros")

/** A parameter's option, by the type of its values. */
const fieldOption = (field: string, shape: Shape.Shape): Parameter => {
  const [name, { description = "" }] = [optionName(field), shape]
  if (isMoney(field)) return shape.kind === "union" ? usdOrNoneOption(name) : usdOption(name)
  switch (shape.kind) {
    case "flag":
      return flag(name, description)
    case "number":
      return shape.bounds.type === "integer" ? integer(name, description) : decimal(name, description)
    case "list":
      return parsed(text(name, description), (given) => given.split(",").map((item) => item.trim()), "")
    case "choice":
      return choice(name, shape.values.map(String), description)
    default:
      return text(name, description)
  }
}

const makeParameters = (verb: Endpoint.AnyOperation, own: Readonly<Record<string, Parameter>>) => {
  const inPath = Endpoint.pathParamNames(verb)
  return Object.fromEntries(
    Shape.fieldsOf(verb.params).map(({ name: field, shape, isOptional }): readonly [string, Parameter] => {
      if (isArgument(inPath, field)) return [field, argument(field, shape.description)]
      const option = own[field] ?? fieldOption(field, shape)
      return [field, isOptional && shape.kind !== "flag" ? optional(option) : option]
    }),
  )
}

/**
 * A command that runs a verb on the store. Its argument is the last parameter of the path, its options are the others.
 *
 * @param answerText the output without --json; with it, the admin API's JSON is printed
 * @param own options that replace a parameter's
 * @param wrong returns why the parameters contradict each other, or undefined
 * @param complete adds to the answer; receives the URL of the server that gave it, if there is one
 */
export const command = <
  Params extends Endpoint.AnyStruct,
  Results extends Schema.Schema.AnyNoContext,
  Shown extends Schema.Schema.Encoded<Results> = Schema.Schema.Encoded<Results>,
>(
  name: string,
  verb: AdminOperation<Params, Results>,
  answerText: (answer: Shown, params: Schema.Schema.Encoded<Params>) => string,
  own: Readonly<Record<string, Parameter>> = {},
  wrong: (params: Schema.Schema.Encoded<Params>) => string | undefined = () => undefined,
  complete: (answer: Schema.Schema.Encoded<Results>, server: string | undefined) => Effect.Effect<Shown, unknown> = (
    answer,
  ) => Effect.succeed(answer as Shown),
) => {
  const parameters = makeParameters(verb, own)
  /** Options take dollars, but the verb's rules are in micro-dollars. */
  const describeRule = (field: string) => {
    const kind = fieldsOf(verb).find((each) => each.name === field)?.kind
    return kind?._tag === "Money" ? `must be ${rangeText(kind.range)}${kind.isNullable ? ", or none" : ""}.` : undefined
  }
  return make(name, `${verb.summary}.`, { given: parameters, json }, ({ given, json: asJson }) =>
    Effect.suspend(() => {
      const params = Record.filter(given, (value) => value !== undefined) as Schema.Schema.Encoded<Params>
      const reason = wrong(params)
      if (reason !== undefined) return Effect.fail(new UsageError(reason))
      const answered = Effect.flatMap(makeAsk(verb.id), (ask) =>
        Effect.map(ask.verb(verb, params), (answer) => [answer, ask.url()] as const),
      )
      return readable(answered, (field) => parameters[field]?.name, describeRule).pipe(
        Effect.flatMap(([answer, server]) => complete(answer, server)),
        Effect.tap((answer) => print(asJson, answer, answerText(answer, params))),
        Effect.tap(({ next }: { readonly next?: unknown }) =>
          next === undefined || asJson ? Effect.void : Console.error(`There are more rows: --cursor ${next}`),
        ),
        Effect.scoped,
      )
    }),
  )
}
