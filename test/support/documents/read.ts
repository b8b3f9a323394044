import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Whether a file is a document for users: a README, or a guide. */
export const isDocument = (name: string): boolean => /(README|describe\/guides\/[\w-]+)\.md$/.test(name)

/** The documents for users, in the order in which one would follow them: accounts are made by those of the operator. */
export const documents: ReadonlyArray<string> = [
  "README.md",
  "services/README.md",
  ...["adapters", "core", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(isDocument)
      .map((name) => join(folder, name))
      .sort(),
  ),
]

export interface Block {
  readonly file: string
  /** The line of the block's first line, from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
}

const fence = /^```(\w*)\n([\s\S]*?)^```$/gm

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length

/** The fenced blocks of a document. */
export const blocksOf = (file: string): ReadonlyArray<Block> => {
  const text = readFileSync(join(root, file), "utf8")
  return [...text.matchAll(fence)].map(({ index, 1: language = "", 2: body = "" }) => ({
    file,
    line: lineOf(text, index) + 1,
    language,
    text: body,
  }))
}

const examples = documents.flatMap(blocksOf).filter(({ language }) => language === "ts" || language === "js")

/** Programs that a reader runs. */
export const programs = examples.filter(({ text }) => !/^export /m.test(text))

/** The module of a model of one's own, which the open bench asks. */
export const ownModel = examples.find(({ text }) => /^export const forecast\b/m.test(text))!.text

export interface Command {
  readonly file: string
  readonly line: number
  readonly text: string
  /** It is named in a sentence: no other command needs what it does. */
  readonly isAlone: boolean
}

/** Programs whose names begin a command in the middle of a sentence. */
const inSentence = /^(?:[A-Z_]+=\S+ )*(?:market-signals(?:-bench)?|npm|npx|node|curl|docker|podman|systemctl) \S/

/** Every line of the blocks of a shell. */
const ofBlocks = (file: string): ReadonlyArray<Command> =>
  blocksOf(file)
    .filter(({ language }) => language === "sh")
    .flatMap(({ line, text }) =>
      text
        .split("\n")
        .flatMap((each, at) =>
          each.trim() === "" ? [] : [{ file, line: line + at, text: each.trim(), isAlone: false }],
        ),
    )

/** The commands that sentences name. */
const ofSentences = (file: string): ReadonlyArray<Command> => {
  const text = readFileSync(join(root, file), "utf8")
  const prose = text.replace(fence, (block) => block.replace(/[^\n]/g, ""))
  return [...prose.matchAll(/`([^`]+)`/g)].flatMap(({ index, 1: span = "" }) => {
    const words = span.replace(/\s+/g, " ").trim()
    return inSentence.test(words) ? [{ file, line: lineOf(prose, index), text: words, isAlone: true }] : []
  })
}

/** The dependencies of the checkout are there: `npm ci` asks the registry. */
const installing = /^npm ci && (?=npm start$)/

/** Every command of the documents, those of the blocks first; one that comes again is the first one. */
export const commands: ReadonlyArray<Command> = [
  ...new Map(
    [...documents.flatMap(ofBlocks), ...documents.flatMap(ofSentences)]
      .map((command) => ({ ...command, text: command.text.replace(installing, "") }))
      .reverse()
      .map((command) => [command.text, command] as const),
  ).values(),
].reverse()
