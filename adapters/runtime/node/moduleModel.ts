import { pathToFileURL } from "node:url"
import type { Forecaster, Model } from "../../../core/Model.ts"

type Any = Forecaster<unknown, unknown, unknown>
interface Module {
  readonly name?: unknown
  readonly version?: unknown
  readonly start?: () => Any
  readonly forecast?: Any
}

const asWord = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const wrong = "exports neither forecast(question, history) nor start() that returns such a function."

/**
 * Loads a model: a module that exports `forecast(question, history)`, or `start()` that returns one, and may have a `name` and
 * a `version`; by name or as its default. Its forecasts are whatever it returns.
 *
 * @throws whatever the module throws, and an Error when it has no such function
 */
export const moduleModel = async (file: string): Promise<Model<unknown, unknown, unknown>> => {
  const imported = (await import(pathToFileURL(file).href)) as Module & { readonly default?: Module }
  const { name, version, start, forecast } = imported.default ?? imported
  if (typeof start !== "function" && typeof forecast !== "function") throw new Error(wrong)
  return {
    name: asWord(name) ?? "own model",
    version: asWord(version),
    start: () => {
      const forecaster = typeof start === "function" ? start() : forecast
      if (typeof forecaster !== "function") throw new Error(wrong)
      return forecaster
    },
  }
}
