import * as families from "./families.ts"
import type { Command } from "./parser.ts"

/** All commands, in the groups of the help text. */
export const groups: ReadonlyArray<{ readonly title: string; readonly commands: ReadonlyArray<Command> }> =
  await Promise.all(
    Object.entries(families.groups).map(async ([title, loads]) => ({
      title,
      commands: await Promise.all(Object.values<() => Promise<Command>>(loads).map((load) => load())),
    })),
  )

export const root = families.program(groups.flatMap(({ commands }) => commands))
