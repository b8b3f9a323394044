import * as Effect from "effect/Effect"
import { ifDefined } from "../../core/ifDefined.ts"
import { config as environment } from "../Config.ts"
import type { Variable } from "../config/values.ts"
import { groups } from "../config/variables.ts"
import { family, make } from "./parser.ts"
import { json, print, table } from "./shared.ts"

/** A value as it may be shown: of a secret its length, a URL without its password. */
const shown = ({ isSecret }: Variable, value: string): string =>
  isSecret ? `(${value.length} characters)` : value.replace(/(:\/\/[^:/@]*):[^@]*@/, "$1:…@")

const variableRow = (variable: Variable) => {
  const { name, defaultText, meaning } = variable
  const value = process.env[name]
  return {
    name,
    meaning,
    ...(value === undefined
      ? { origin: "default", ...ifDefined("value", defaultText) }
      : { origin: "environment", value: shown(variable, value) }),
  } as const
}

const show = make(
  "show",
  "Show every variable, its value and whether it is set; secrets by their length.",
  { json },
  (options) =>
    Effect.gen(function* () {
      const sections = groups.map(({ title, variables }) => ({ title, rows: variables.map(variableRow) }))
      yield* print(
        options.json,
        { variables: sections.flatMap(({ rows }) => rows) },
        sections
          .map(({ title, rows }) =>
            [
              title,
              table(
                rows.map(({ name, origin, value }) => [
                  `  ${name}`,
                  origin === "environment" ? "set" : "",
                  value ?? "",
                ]),
              ),
            ].join("\n"),
          )
          .join("\n\n"),
      )
      // Only values that a start would accept are shown.
      yield* environment
    }),
)

export const config = family("config", "The settings, which are environment variables.", [show])
