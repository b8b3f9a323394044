import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { display, parseUsd } from "../../core/account/Money.ts"
import type { Failure } from "../../core/Failure.ts"
import { UsageError } from "../exit.ts"
import { flag, type Parameter, parsed, text } from "./parameters.ts"

export const json = flag("json", "Print one JSON object.")

export const print = (asJson: boolean, value: Readonly<Record<string, unknown>>, text: string): Effect.Effect<void> =>
  Console.log(asJson ? JSON.stringify(value) : text)

/** Codes of wrong parameters, whose hints replace the message. */
const generic: ReadonlySet<string> = new Set(["invalid_parameter", "invalid_request_body"])

/**
 * A failure's message and hints as text.
 *
 * @param optionOf the command-line option of a parameter, which the text then names instead
 * @param ruleOf the rule of an option whose unit differs from the parameter's
 */
export const readable = <A, R, E>(
  effect: Effect.Effect<A, E | Failure, R>,
  optionOf?: (field: string) => string | undefined,
  ruleOf: (field: string) => string | undefined = () => undefined,
): Effect.Effect<A, E | Error, R> =>
  Effect.mapError(effect, (error) => {
    if (!(typeof error === "object" && error !== null && "_tag" in error && error._tag === "Failure")) return error as E
    const { code, message, hints = [] } = error as Failure
    const options = hints.map(({ field }) => optionOf?.(field))
    const lines = hints.map(({ field, suggestion }, at) => {
      if (options[at] === undefined) return `  ${field}: ${suggestion}`
      const rule = suggestion.startsWith(`${field} `) ? suggestion.slice(field.length + 1) : undefined
      return `${options[at]}: ${rule === undefined ? suggestion : (ruleOf(field) ?? rule)}`
    })
    const hintsSuffice = generic.has(code) && hints.length > 0 && !options.includes(undefined)
    return new (generic.has(code) ? UsageError : Error)([...(hintsSuffice ? [] : [message]), ...lines].join("\n"))
  })

/** Rows with aligned columns. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = rows.reduce<ReadonlyArray<number>>(
    (all, row) => row.map((cell, column) => Math.max(cell.length, all[column] ?? 0)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

export const usd = (micros: number): string => (micros === 0 ? "0 USD" : display(micros))

const exact = "with at most six decimals"

/** Dollars as micro-dollars. */
export const usdOption = (name: string): Parameter<number> =>
  parsed(text(name, `Dollars, ${exact}.`), parseUsd, `--${name} must be dollars such as 5 or 0.25, ${exact}.`)

/** Dollars as micro-dollars, or `none` for null. */
export const usdOrNoneOption = (name: string): Parameter<number | null> =>
  parsed(
    text(name, `Dollars, ${exact}, or none.`),
    (given) => (given === "none" ? null : parseUsd(given)),
    `--${name} must be dollars such as 5 or 0.25, ${exact}, or none.`,
  )
