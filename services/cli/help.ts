import * as CliConfig from "@effect/cli/CliConfig"
import * as Descriptor from "@effect/cli/CommandDescriptor"
import type { HelpDoc } from "@effect/cli/HelpDoc"
import type { Span } from "@effect/cli/HelpDoc/Span"
import * as Release from "../../core/release.ts"
import { program } from "../programName.ts"
import { type AnyCommand, membersOf } from "./family.ts"
import { groups, root } from "./root.ts"

/** A command of the tree, with the words that name it. */
export interface Found {
  readonly words: ReadonlyArray<string>
  readonly command: AnyCommand
  /** The first word that names no command below it; absent: there is none. */
  readonly unknown?: string
}

/** An option or argument as the help shows it. */
export interface Given {
  readonly title: string
  readonly text: string
  readonly isRequired: boolean
  readonly isRepeatable: boolean
  /** The values that it takes; empty: any. */
  readonly choices: ReadonlyArray<string>
}

const width = 80

const plain = (span: Span): string => {
  switch (span._tag) {
    case "Text":
    case "URI":
      return span.value
    case "Sequence":
      return plain(span.left) + plain(span.right)
    default:
      return plain(span.value)
  }
}

interface Section {
  readonly title: string
  readonly paragraphs: ReadonlyArray<string>
  readonly entries: ReadonlyArray<readonly [string, ReadonlyArray<string>]>
}

const flat = (doc: HelpDoc): ReadonlyArray<HelpDoc> =>
  doc._tag === "Sequence" ? [...flat(doc.left), ...flat(doc.right)] : doc._tag === "Empty" ? [] : [doc]

const splitParagraphs = (doc: HelpDoc): ReadonlyArray<string> =>
  flat(doc).flatMap((each) => (each._tag === "Paragraph" ? [plain(each.value)] : []))

/** The parser's help as headers with their paragraphs and lists. */
const sections = (doc: HelpDoc): ReadonlyArray<Section> => {
  const found: Array<{ title: string; paragraphs: Array<string>; entries: Array<Section["entries"][number]> }> = []
  for (const each of flat(doc)) {
    if (each._tag === "Header") found.push({ title: plain(each.value), paragraphs: [], entries: [] })
    const last = found.at(-1)
    if (each._tag === "Enumeration") last?.paragraphs.push(...each.elements.flatMap(splitParagraphs))
    if (each._tag === "Paragraph") last?.paragraphs.push(plain(each.value))
    if (each._tag === "DescriptionList") {
      for (const [name, text] of each.definitions) last?.entries.push([plain(name), splitParagraphs(text)])
    }
  }
  return found
}

const helpOf = (command: AnyCommand): ReadonlyArray<Section> =>
  sections(Descriptor.getHelp(command.descriptor, CliConfig.defaultConfig))

const descriptionOf = (command: AnyCommand): string =>
  helpOf(command)
    .find(({ title }) => title === "DESCRIPTION")
    ?.paragraphs.join(" ") ?? ""

/** The parser's own sentences, which say what the title says. */
const stock =
  /^(A true or false value|A user-defined piece of text|An integer|A floating point number|A file|A directory|This (option|argument) may be repeated zero or more times)\b.*\.$|^One of the following: /
const optional = "This setting is optional."
const stockOptional = / may be repeated zero or more times\.$/
const oneOf = "One of the following: "
/** Words at the end of a title. */
const repeated = "..."

/** The parser adds them to every command. */
const builtIn = /^(--completions|--log-level|\(?-h, --help|--wizard|--version)/
export const builtIns: ReadonlySet<string> = new Set([
  "--completions",
  "--log-level",
  "-h",
  "--help",
  "--wizard",
  "--version",
])

const given = ([title, texts]: Section["entries"][number], isFlag: boolean): Given => {
  const choices = texts.flatMap((text) => (text.startsWith(oneOf) ? text.slice(oneOf.length).split(", ") : []))
  return {
    title: choices.length > 0 && title.startsWith("-") ? `${title.split(" ")[0]} ${choices.join("|")}` : title,
    text: texts.filter((text) => text !== optional && !stock.test(text)).join(" "),
    isRequired: !isFlag && !texts.some((text) => text === optional || stockOptional.test(text)),
    isRepeatable: title.endsWith(repeated),
    choices,
  }
}

const entriesOf = (command: AnyCommand, section: string): ReadonlyArray<Given> =>
  helpOf(command)
    .filter(({ title }) => title === section)
    .flatMap(({ entries }) => entries)
    .filter(([title]) => !builtIn.test(title))
    .map((entry) => given(entry, entry[1].includes("A true or false value.")))

/** A command's options. */
export const optionsOf = (command: AnyCommand) => entriesOf(command, "OPTIONS")

/** A command's arguments. */
export const argumentsOf = (command: AnyCommand) => entriesOf(command, "ARGUMENTS")

const nameOf = (command: AnyCommand): string => [...Descriptor.getNames(command.descriptor)][0]!

/** The names of the commands below a command, in their order. */
export const namesBelow = (command: AnyCommand): ReadonlyArray<string> => membersOf(command).map(nameOf)

/** The command that the words of a command line name. */
export const find = (args: ReadonlyArray<string>): Found => {
  let command: AnyCommand = root
  const words: Array<string> = []
  for (const word of args) {
    const names = namesBelow(command)
    if (word.startsWith("-") || names.length === 0) break
    const next = membersOf(command).find((each) => nameOf(each) === word)
    if (next === undefined) return { words, command, unknown: word }
    command = next
    words.push(word)
  }
  return { words, command }
}

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

const usageLine = ({ words, command }: Found): string => {
  const options = optionsOf(command)
  const required = options.filter(({ isRequired }) => isRequired).map(({ title }) => title)
  return [
    program,
    ...words,
    ...argumentsOf(command).map(({ title }) => title),
    ...(namesBelow(command).length > 0 ? ["<command>"] : []),
    ...required,
    ...(options.length > required.length ? ["[options]"] : []),
  ].join(" ")
}

const described = ({ title, text, isRequired }: Given): readonly [string, string] => [
  title,
  isRequired ? `${text} Required.`.trim() : text,
]

/** A list names the commands below one of its commands, unless there are more. */
const maxNamed = 12

const listCommands = (commands: ReadonlyArray<AnyCommand>): ReadonlyArray<string> =>
  columns(
    commands.map((command) => {
      const names = namesBelow(command)
      const more = names.length === 0 || names.length > maxNamed ? "" : ` (${names.join(", ")})`
      return [nameOf(command), `${descriptionOf(command).replace(/\.$/, "")}${more}.`]
    }),
  )

const ofEach = columns([
  ["-h, --help", "Explain a command."],
  ["--log-level", "The least level of log lines: debug, info, warning, error or none."],
  ["--completions", "Print completions for sh, bash, fish or zsh."],
  ["--version", "Print the version."],
])

/**
 * The help of a command, at most 80 columns wide.
 *
 * @param heading how a heading looks
 */
export const help = (found: Found, heading: (title: string) => string): string => {
  const { words, command } = found
  const block = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : [`${heading(title)}\n${lines.join("\n")}`]
  return [
    `${heading([Release.name, ...words].join(" "))}${words.length === 0 ? ` ${Release.version}` : ""}\n${wrapped(descriptionOf(command), 0)}`,
    `${heading("Usage")}\n  ${wrapped(usageLine(found), 4)}`,
    ...(words.length === 0
      ? groups.flatMap(({ title, commands }) => block(title, listCommands(commands)))
      : block("Commands", listCommands(membersOf(command)))),
    ...block("Arguments", columns(argumentsOf(command).map(described))),
    ...block("Options", columns(optionsOf(command).map(described))),
    ...(words.length === 0 ? block("Options of every command", ofEach) : []),
    ...(words.length === 0
      ? block("Examples", [
          `  ${program} serve`,
          `  ${program} account create --name me`,
          `  ${program} keys create --account me --env live`,
          `  MARKET_SIGNALS_KEY=<key> ${program} call weather_signal --station KNYC`,
        ])
      : []),
  ].join("\n\n")
}
