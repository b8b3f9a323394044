import { pathToFileURL } from "node:url"
import type { Forecaster, Model } from "../../../core/Model.ts"

type Any = Forecaster<unknown, unknown, unknown>
interface Module {
  readonly name?: unknown
  readonly version?: unknown
  readonly start?: () => Any
  readonly forecast?: Any
}

const toWord = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const wrongExports = "exports neither forecast(question, history) nor start() that returns such a function."

/**
 * Loads a model: a module that exports `forecast(question, history)`, or `start()` that returns such a function, and optionally
 * `name` and `version`, as named exports or in its default export. Its forecasts are not checked.
 *
 * @throws whatever the module throws, and an Error if it has neither function
 */
export const moduleModel = async (file: string): Promise<Model<unknown, unknown, unknown>> => {
  const imported = (await import(pathToFileURL(file).href)) as Module & { readonly default?: Module }
  const { name, version, start, forecast } = imported.default ?? imported
  if (typeof start !== "function" && typeof forecast !== "function") throw new Error(wrongExports)
  return {
    name: toWord(name) ?? "own model",
    version: toWord(version),
    start: () => {
      const forecaster = typeof start === "function" ? start() : forecast
      if (typeof forecaster !== "function") throw new Error(wrongExports)
      return forecaster
    },
  }
}
