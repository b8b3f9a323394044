import { program as name } from "../programName.ts"
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

export const root: Command = {
  ...families.program(groups.flatMap(({ commands }) => commands)),
  overview: {
    groups,
    examples: [
      `${name} serve`,
      `${name} account create --name me`,
      `${name} keys create --account me --env live`,
      `MARKET_SIGNALS_KEY=<key> ${name} call weather_signal --station KNYC`,
    ],
  },
}
