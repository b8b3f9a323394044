import type { Argument, Arguments } from "../../adapters/lanes/LaneCommand.ts"
import * as Parameters from "./parameters.ts"

const makers = { text: Parameters.text, path: Parameters.text, integer: Parameters.integer, flag: Parameters.flag }

const parameter = (name: string, { type, choices, count, description }: Argument) => {
  if (type === "positionals") return Parameters.repeated(Parameters.argument(description))
  const one: Parameters.Parameter =
    choices === undefined ? makers[type](name, description) : Parameters.choice(name, choices, description)
  if (count === "repeated") return Parameters.repeated(one)
  return count === "optional" ? Parameters.optional(one) : one
}

/** The parameters of a lane's command, by argument name. */
export const laneOptions = (all: Arguments): Readonly<Record<string, Parameters.Parameter>> =>
  Object.fromEntries(Object.entries(all).map(([name, argument]) => [name, parameter(name, argument)]))
