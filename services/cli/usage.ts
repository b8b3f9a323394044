import { isValidationError } from "@effect/cli/ValidationError"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { distance, nearest } from "../../core/endpoint/nearest.ts"
import { UsageError } from "../exit.ts"
import { program } from "../programName.ts"
import { argumentsOf, builtIns, type Found, type Given, namesBelow, optionsOf } from "./help.ts"

/** 2 where the command line is wrong, 1 for any other failure. */
export const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return 0
  const isUsage = (error: unknown): boolean => error instanceof UsageError || isValidationError(error)
  return Option.exists(Cause.failureOption(exit.cause), isUsage) ? 2 : 1
}

const nameOf = ({ title }: Given): string => title.split(" ")[0]!

const takesValue = ({ title }: Given): boolean => title.includes(" ")

const commandOf = ({ words }: Found): string => [program, ...words].join(" ")

const seeHelp = ({ words }: Found): string => `See ${[program, ...words].join(" ")} --help.`

const didYouMean = (names: ReadonlyArray<string>, word: string): string => {
  const near = nearest(names, word, distance, word.length / 2)
  return near === undefined ? "" : ` Did you mean ${near}?`
}

const unknownOption = (found: Found, option: string): string =>
  `${commandOf(found)} has no option ${option}.${didYouMean(optionsOf(found.command).map(nameOf), option)} ${seeHelp(found)}`

/** What the parser would not name, or not by its cause: an unknown command or option, a value that an option does not take. */
export const wrongIn = (found: Found, args: ReadonlyArray<string>): string | undefined => {
  const { command, unknown } = found
  if (unknown !== undefined) {
    return `${commandOf(found)} has no command ${JSON.stringify(unknown)}.${didYouMean(namesBelow(command), unknown)} ${seeHelp(found)}`
  }
  const options = new Map(optionsOf(command).map((each) => [nameOf(each), each]))
  const given = new Set<string>()
  for (let at = found.words.length; at < args.length; at++) {
    const [name = "", ...rest] = args[at]!.split("=")
    const option = options.get(name)
    if (option === undefined) {
      if (builtIns.has(name)) return undefined
      if (name.startsWith("--")) return unknownOption(found, name)
      continue
    }
    if (given.has(name) && !option.isRepeatable) return `${name} is given more than once.`
    given.add(name)
    if (!takesValue(option)) continue
    const value = rest.length > 0 ? rest.join("=") : args[++at]
    if (option.choices.length > 0 && value !== undefined && !option.choices.includes(value)) {
      return `${name}: expected ${option.choices.join(" or ")}; got ${JSON.stringify(value)}.`
    }
  }
  return undefined
}

/** The option whose value a text is. */
const optionWith = (args: ReadonlyArray<string>, value: string): string | undefined => {
  const at = args.indexOf(value)
  return at > 0 ? args[at - 1] : args.find((each) => each.endsWith(`=${value}`))?.split("=")[0]
}

/** The parser's sentences, and ours with what they name. */
const sentences: ReadonlyArray<readonly [RegExp, (found: Found, args: ReadonlyArray<string>, name: string) => string]> =
  [
    [/^Expected to find option: '(.+)'$/, (found, _, name) => required(optionsOf(found.command), name)],
    [/^Missing argument (<.+>)$/, (found, _, name) => required(argumentsOf(found.command), name)],
    [/^Expected a value following option: '(.+)'$/, (_, _args, name) => `${name} needs a value.`],
    [/^The flag '(.+)' is not recognized\..*$/, (found, _, name) => unknownOption(found, name)],
    [/^Received unknown argument: '(-.*)'$/, (found, _, name) => unknownOption(found, name)],
    [
      /^Received unknown argument: '(.*)'$/,
      (found, _, word) => `${commandOf(found)} takes no further argument: ${JSON.stringify(word)}. ${seeHelp(found)}`,
    ],
    [
      /^'(.*)' is not a(?:n)? integer$/,
      (_, args, value) =>
        `${optionWith(args, value) ?? "A number"}: expected a whole number; got ${JSON.stringify(value)}.`,
    ],
    [/^Expected path '(.+)' to be a regular file$/, (_, _args, path) => `${path} is no file.`],
  ]

const required = (all: ReadonlyArray<Given>, name: string): string => {
  const text = all.find((each) => nameOf(each) === name)?.text ?? ""
  return `${name} is required${text === "" ? "." : `: ${text}`}`
}

/** A message of the parser in our words; another text as it is. */
export const inWords = (found: Found, args: ReadonlyArray<string>, message: string): string => {
  const lines = message.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))
  const said = lines.map((line) => {
    for (const [form, sentence] of sentences) {
      const [, name] = form.exec(line) ?? []
      if (name !== undefined) return sentence(found, args, name)
    }
    return undefined
  })
  return said.some((each) => each !== undefined) ? said.map((each, at) => each ?? lines[at]).join("\n") : message
}
