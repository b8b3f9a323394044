import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type { AdminOperation } from "../../adapters/admin/AdminOperation.ts"
import { fieldsOf, rangeText } from "../../adapters/web/dashboard/fields.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as Shape from "../../core/endpoint/Shape.ts"
import { UsageError } from "../exit.ts"
import { json, run, usdOption, usdOrNoneOption } from "./shared.ts"

type Given = Options.Options<unknown> | Args.Args<unknown>

/** Path parameters that are options all the same: the command's argument is the path's last parameter. */
const optionsInPath = new Set(["account", "month"])

const isArgument = (inPath: ReadonlySet<string>, field: string): boolean =>
  inPath.has(field) && !optionsInPath.has(field)

const renamed: Readonly<Record<string, string>> = { environment: "env", micros: "usd" }

/** `monthly_cap_micros` → `monthly-cap-usd`: the command line takes dollars. */
const nameOf = (field: string): string => renamed[field] ?? field.replace(/_micros$/, "_usd").replaceAll("_", "-")

const isMoney = (field: string): boolean => field.endsWith("micros")

/** A parameter's option, by the type of its values. */
const optionOf = (field: string, shape: Shape.Shape): Options.Options<unknown> => {
  const name = nameOf(field)
  if (isMoney(field)) return shape.kind === "union" ? usdOrNoneOption(name) : usdOption(name)
  switch (shape.kind) {
    case "flag":
      return Options.boolean(name)
    case "number":
      return Options.integer(name)
    case "list":
      return Options.map(Options.text(name), (text) => text.split(",").map((item) => item.trim()))
    case "choice":
      return Options.choice(name, shape.values.map(String))
    default:
      return Options.text(name)
  }
}

const makeInputs = (verb: Endpoint.AnyOperation, own: Readonly<Record<string, Options.Options<unknown>>>) => {
  const inPath = Endpoint.inPath(verb)
  return Object.fromEntries(
    Shape.fieldsOf(verb.params).map(({ name: field, shape, isOptional }): readonly [string, Given] => {
      const { description = "" } = shape
      if (isArgument(inPath, field)) {
        return [field, Args.text({ name: field }).pipe(Args.withDescription(description))]
      }
      const option = own[field] ?? optionOf(field, shape)
      const described =
        own[field] !== undefined || isMoney(field) ? option : Options.withDescription(option, description)
      return [field, isOptional && shape.kind !== "flag" ? Options.optional(described) : described]
    }),
  )
}

const valueOf = (given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) => {
      if (!Option.isOption(value)) return [[field, value]]
      return Option.isSome(value) ? [[field, value.value]] : []
    }),
  )

/**
 * A command that runs a verb on the configured store. Its argument is the path's subject, its options are the verb's
 * other parameters.
 *
 * @param text the output without --json; with it, the admin API's JSON is printed
 * @param own options that replace a parameter's
 * @param wrong why the given parameters cannot be right together; undefined: nothing is wrong
 */
export const command = <Params extends Endpoint.AnyStruct, Results extends Schema.Schema.AnyNoContext>(
  name: string,
  verb: AdminOperation<Params, Results>,
  text: (answer: Schema.Schema.Encoded<Results>, params: Schema.Schema.Encoded<Params>) => string,
  own: Readonly<Record<string, Options.Options<unknown>>> = {},
  wrong: (params: Schema.Schema.Encoded<Params>) => string | undefined = () => undefined,
) => {
  const inPath = Endpoint.inPath(verb)
  const fields = new Set(Object.keys(verb.params.fields))
  const shown = (field: string) => {
    if (!fields.has(field)) return undefined
    if (isArgument(inPath, field)) return `<${field}>`
    const option = own[field]
    return option === undefined ? `--${nameOf(field)}` : Option.getOrElse(Options.getIdentifier(option), () => field)
  }
  /** Amounts are given in dollars, and the verb's rules speak of micro-dollars. */
  const describeRule = (field: string) => {
    const kind = fieldsOf(verb).find((each) => each.name === field)?.kind
    return kind?._tag === "Money" ? `must be ${rangeText(kind.range)}${kind.isNullable ? ", or none" : ""}.` : undefined
  }
  return Command.make(name, { given: makeInputs(verb, own), json }, (asked) =>
    Effect.suspend(() => {
      const params = valueOf(asked.given) as Schema.Schema.Encoded<Params>
      const reason = wrong(params)
      if (reason !== undefined) return Effect.fail(new UsageError(reason))
      return Effect.tap(
        run(verb, params, asked.json, (answer) => text(answer, params), shown, describeRule),
        ({ next }: { readonly next?: unknown }) =>
          next === undefined || asked.json ? Effect.void : Console.error(`There are more: --cursor ${next}`),
      )
    }),
  ).pipe(Command.withDescription(`${verb.summary}.`))
}
