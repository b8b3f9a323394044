import * as Release from "../../core/release.ts"
import type { Parameter } from "./parameters.ts"
import { type Command, common, type Target, typedName } from "./parser.ts"

const width = 80

/** Wraps text at 80 columns, with an indent. */
const wrapped = (text: string, column: number): string => {
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!
    if (line !== "" && column + line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines.join(`\n${" ".repeat(column)}`)
}

/** Names and texts in two columns, or one below the other if the names are long. */
const columns = (rows: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> => {
  const column = Math.min(26, Math.max(...rows.map(([name]) => name.length)) + 4)
  return rows.map(([name, text]) =>
    name.length + 4 > column
      ? `  ${name}${text === "" ? "" : `\n${" ".repeat(column)}${wrapped(text, column)}`}`
      : `  ${name.padEnd(column - 2)}${wrapped(text, column)}`.trimEnd(),
  )
}

const parameterTitle = ({ name, kind, isRepeatable }: Parameter): string =>
  `${name}${kind === "" ? "" : ` ${kind}`}${isRepeatable ? "..." : ""}`

const describe = (parameter: Parameter): readonly [string, string] => [
  parameterTitle(parameter),
  parameter.isRequired ? `${parameter.description} Required.`.trim() : parameter.description,
]

const isArgument = ({ name }: Parameter): boolean => name.startsWith("<")

/** A command's arguments and its options. */
const split = ({ parameters }: Command) => ({
  args: parameters.filter(isArgument),
  options: parameters.filter((each) => !isArgument(each)),
})

const usageLine = (target: Target): string => {
  const { args, options } = split(target.command)
  const required = options.filter(({ isRequired }) => isRequired)
  return [
    typedName(target),
    ...args.map(parameterTitle),
    ...(target.command.commands.length > 0 ? ["<command>"] : []),
    ...required.map(parameterTitle),
    ...(options.length > required.length ? ["[options]"] : []),
  ].join(" ")
}

/** A list of commands names their subcommands, unless there are too many. */
const maxNamed = 12

const listCommands = (commands: ReadonlyArray<Command>): ReadonlyArray<string> =>
  columns(
    commands.map(({ name, description, commands: below }) => {
      const isNamed = below.length > 0 && below.length <= maxNamed
      const names = isNamed ? ` (${below.map((each) => each.name).join(", ")})` : ""
      return [name, `${description.replace(/\.$/, "")}${names}.`]
    }),
  )

/** Values in examples by parameter; those listed with a command's words are shown even if the parameter is optional. */
const samples: ReadonlyMap<string, string> = new Map(
  `--account me; --name bot; --usd 5; --credit txn_...; <key> key_...; <agent> agt_...; <webhook> whk_...; <alert> alt_...
  <person> psn_...; <id> 0; --month 2026-07; --node signals; --games games.csv; --events wallet.low; <folder> backup-1
  serve --port 9000; serve --store signals.db; mcp --url http://127.0.0.1:8080; account create --name me; jobs run <name> prune-runs
  agents cap --monthly-cap-usd 20; audit export --out audit.ndjson; webhooks create --url https://example.com/hook
  webhooks replay --last 10; alerts create --call /v1/weather/settlement?station=KNYC; dashboard link --account me
  ingest weather <file or folder> reports; ingest football --games games.csv; scoreboard export --out rows; backup --out backup-1
  record export --out record.ndjson; verify <file> record.ndjson; store export --out store.gz; store import --from store.gz`
    .split(/;|\n/)
    .map((pair) => /^\s*(.*(?:--[\w-]+|<.*>)) (.*?)\s*$/.exec(pair)!.slice(1) as [string, string]),
)

const quoted = (word: string): string => (/^[\w./:,=-]+$/.test(word) ? word : `'${word}'`)

/** An example line: the command with its required parameters and those of the list above. */
const commandExample = (target: Target): string => {
  const [first] = target.command.commands
  if (first !== undefined) return commandExample({ ...target, command: first, words: [...target.words, first.name] })
  const given = target.command.parameters.flatMap(({ name, kind, isRequired, example }) => {
    const sample = samples.get(`${target.words.join(" ")} ${name}`) ?? example
    const value = sample ?? (isRequired ? (samples.get(name) ?? kind.split("|")[0]!) : undefined)
    return value === undefined ? [] : [name.startsWith("<") ? quoted(value) : `${name}\xa0${quoted(value)}`]
  })
  return [typedName(target), ...given].join(" ")
}

/**
 * The help of a command, at most 80 columns wide.
 *
 * @param heading how a heading looks
 */
export const help = (target: Target, heading: (title: string) => string): string => {
  const { words, command } = target
  const { args, options } = split(command)
  const block = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : [`${heading(title)}\n${lines.join("\n")}`]
  const { overview } = command
  return [
    `${heading([target.root.name, ...words].join(" "))}${words.length === 0 ? ` ${Release.version}` : ""}\n${wrapped(command.description, 0)}`,
    `${heading("Usage")}\n  ${wrapped(usageLine(target), 4)}`,
    ...(overview !== undefined
      ? overview.groups.flatMap(({ title, commands }) => block(title, listCommands(commands)))
      : block("Commands", listCommands(command.commands))),
    ...block("Arguments", columns(args.map(describe))),
    ...block("Options", columns(options.map(describe))),
    ...(overview !== undefined
      ? []
      : block("Example", [
          `  ${wrapped(commandExample(target), 6).replaceAll("\n", " \\\n").replaceAll("\xa0", " ")}`,
        ])),
    ...(overview !== undefined
      ? [
          ...block(
            "Options of every command",
            columns(
              Object.values(common).map(({ name, description }) => [
                [common.help, common.version].some((each) => each.name === name)
                  ? `${name.slice(1, 3)}, ${name}`
                  : name,
                description,
              ]),
            ),
          ),
          ...block(
            "Examples",
            overview.examples.map((line) => `  ${line}`),
          ),
        ]
      : []),
  ].join("\n\n")
}
