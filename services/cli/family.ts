import * as Command from "@effect/cli/Command"
import type * as Descriptor from "@effect/cli/CommandDescriptor"

/** A command of whatever parameters. */
export interface AnyCommand {
  readonly descriptor: Descriptor.Command<unknown>
}

const families = new WeakMap<object, ReadonlyArray<AnyCommand>>()

/** Commands under one word. The parser does not tell them again. */
export const family = <
  // biome-ignore lint/suspicious/noExplicitAny: of all parameters, errors and services, as the parser types them
  const One extends Command.Command<any, any, any, any>,
>(
  name: string,
  description: string,
  commands: ReadonlyArray<One>,
) => {
  const made = Command.make(name).pipe(
    Command.withDescription(description),
    Command.withSubcommands(commands as readonly [One, ...Array<One>]),
  )
  families.set(made, commands as unknown as ReadonlyArray<AnyCommand>)
  return made
}

/** The commands of a family, in their order; none for another command. */
export const membersOf = (command: AnyCommand): ReadonlyArray<AnyCommand> => families.get(command) ?? []
