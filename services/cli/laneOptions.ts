import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import type { Argument, Arguments } from "../../adapters/lanes/LaneCommand.ts"

/** An option of an argument's form. */
const single = (name: string, { form, choices }: Argument): Options.Options<string | number | boolean> => {
  if (choices !== undefined) return Options.choice(name, choices)
  if (form === "integer") return Options.integer(name)
  if (form === "flag") return Options.boolean(name)
  return form === "file" ? Options.file(name) : form === "folder" ? Options.directory(name) : Options.text(name)
}

const option = (name: string, argument: Argument): Options.Options<unknown> | Args.Args<unknown> => {
  const { form, count, description, default: fallback } = argument
  if (form === "words") return Args.repeated(Args.text({ name: description }))
  const one = single(name, argument)
  const described = Options.withDescription(description)
  if (count === "repeated") return Options.repeated(one).pipe(described)
  if (count === "optional") return Options.optional(one).pipe(described, Options.map(Option.getOrUndefined))
  return (fallback === undefined ? one : Options.withDefault(one, fallback)).pipe(described)
}

/** The options of a lane's command, by the names of its arguments. */
export const laneOptions = (all: Arguments) =>
  Object.fromEntries(Object.entries(all).map(([name, argument]) => [name, option(name, argument)]))
