import * as Release from "../../core/release.ts"
import { program } from "../programName.ts"
import type { Parameter } from "./parameters.ts"
import { type Command, common, type Target, typedName } from "./parser.ts"
import { groups, root } from "./root.ts"

const width = 80

/** Text in lines of at most 80 columns, from a column on. */
const wrapped = (text: string, column: number): string => {
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!
    if (line !== "" && column + line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines.join(`\n${" ".repeat(column)}`)
}

/** Names with their texts in two columns; below each other where the names are long. */
const columns = (rows: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> => {
  const column = Math.min(26, Math.max(...rows.map(([name]) => name.length)) + 4)
  return rows.map(([name, text]) =>
    name.length + 4 > column
      ? `  ${name}${text === "" ? "" : `\n${" ".repeat(column)}${wrapped(text, column)}`}`
      : `  ${name.padEnd(column - 2)}${wrapped(text, column)}`.trimEnd(),
  )
}

const titleOf = ({ name, kind, isRepeatable }: Parameter): string =>
  `${name}${kind === "" ? "" : ` ${kind}`}${isRepeatable ? "..." : ""}`

const describe = (parameter: Parameter): readonly [string, string] => [
  titleOf(parameter),
  parameter.isRequired ? `${parameter.description} Required.`.trim() : parameter.description,
]

const isArgument = ({ name }: Parameter): boolean => name.startsWith("<")

/** A command's arguments and its options. */
const split = ({ parameters }: Command) => ({
  args: parameters.filter(isArgument),
  options: parameters.filter((each) => !isArgument(each)),
})

const usageLine = (found: Target): string => {
  const { args, options } = split(found.command)
  const required = options.filter(({ isRequired }) => isRequired)
  return [
    typedName(found),
    ...args.map(titleOf),
    ...(found.command.commands.length > 0 ? ["<command>"] : []),
    ...required.map(titleOf),
    ...(options.length > required.length ? ["[options]"] : []),
  ].join(" ")
}

/** A list names the commands below one of its commands, unless there are more. */
const maxNamed = 12

const listCommands = (commands: ReadonlyArray<Command>): ReadonlyArray<string> =>
  columns(
    commands.map(({ name, description, commands: below }) => {
      const isNamed = below.length > 0 && below.length <= maxNamed
      const names = isNamed ? ` (${below.map((each) => each.name).join(", ")})` : ""
      return [name, `${description.replace(/\.$/, "")}${names}.`]
    }),
  )

/**
 * The help of a command, at most 80 columns wide.
 *
 * @param heading how a heading looks
 */
export const help = (found: Target, heading: (title: string) => string): string => {
  const { words, command } = found
  const { args, options } = split(command)
  const block = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : [`${heading(title)}\n${lines.join("\n")}`]
  const isRoot = command === root
  return [
    `${heading([found.root.name, ...words].join(" "))}${words.length === 0 ? ` ${Release.version}` : ""}\n${wrapped(command.description, 0)}`,
    `${heading("Usage")}\n  ${wrapped(usageLine(found), 4)}`,
    ...(isRoot
      ? groups.flatMap(({ title, commands }) => block(title, listCommands(commands)))
      : block("Commands", listCommands(command.commands))),
    ...block("Arguments", columns(args.map(describe))),
    ...block("Options", columns(options.map(describe))),
    ...(isRoot
      ? [
          ...block(
            "Options of every command",
            columns(
              Object.values(common).map(({ name, description }) => [
                name === common.help.name ? `-h, ${name}` : name,
                description,
              ]),
            ),
          ),
          ...block("Examples", [
            `  ${program} serve`,
            `  ${program} account create --name me`,
            `  ${program} keys create --account me --env live`,
            `  MARKET_SIGNALS_KEY=<key> ${program} call weather_signal --station KNYC`,
          ]),
        ]
      : []),
  ].join("\n\n")
}
