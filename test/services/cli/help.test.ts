import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Release from "../../../core/release.ts"
import { help } from "../../../services/cli/help.ts"
import { type Command, find } from "../../../services/cli/parser.ts"
import { groups, root } from "../../../services/cli/root.ts"
import { commandLine } from "../../support/commandLine.ts"
import * as processes from "../../support/processes.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

/** The words of every command. */
const all = (command: Command = root, words: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => [
  words,
  ...command.commands.flatMap((each) => all(each, [...words, each.name])),
]
const commands = all()
/** They serve until they are stopped; every other command answers, with --json by one JSON object. */
const isServer = ({ name }: Command) => name === "serve" || name === "mcp"
const found = (words: ReadonlyArray<string>) => Either.getOrThrow(find(root, words))
const textOf = (words: ReadonlyArray<string>) => help(found(words), (title) => title)

const cli = async (...args: ReadonlyArray<string>) => {
  const child = processes.start("services/cli.ts", args)
  const code = await child.ended
  return { code, stdout: child.lines.join("\n"), stderr: child.stderr().trim() }
}

const folder = makeFolder()
const { cli: inStore } = commandLine(join(folder, "store.db"))
const before = process.cwd()

// Examples name files of the folder in which they are typed.
beforeAll(() => process.chdir(folder))
afterAll(() => {
  process.chdir(before)
  removeFolder(folder)
})

describe("the help of the command line", () => {
  it("names every command once, under a group", () => {
    assert.isAbove(commands.length, 70)
    const names = groups.flatMap(({ commands }) => commands.map(({ name }) => name))
    assert.deepStrictEqual(names, [...new Set(root.commands.map(({ name }) => name))])
    for (const { title } of groups) assert.include(textOf([]), `\n${title}\n`)
  })

  it.each(commands.map((words) => [words.join(" ") || "the program", words] as const))(
    "of %s has 80 columns, a description and a usage line",
    (_, words) => {
      const text = textOf(words)
      for (const line of text.split("\n")) assert.isAtMost(line.length, 80, line)
      assert.match(text, new RegExp(`^market-signals ?${words.join(" ")}.*\n[A-Z].+\\n`))
      assert.include(text, `\n  market-signals ${words.join(" ")}`.trimEnd())
      assert.notMatch(text, /A true or false value|This setting is optional|One of the following/)
    },
  )

  it.each(commands.slice(1).map((words) => [words.join(" "), words] as const))(
    "of %s has an example that the command takes",
    async (_, words) => {
      const example = textOf(words)
        .split("\nExample\n")[1]!
        .replaceAll(/ \\\n +/g, " ")
      assert.isTrue(example.startsWith(`  market-signals ${words.join(" ")}`), example)
      assert.notInclude(example, "undefined")
      const line = example
        .trim()
        .slice("market-signals ".length)
        .split(" ")
        .map((word) => word.replace(/^'(.*)'$/, "$1"))
      const target = found(line)
      assert.strictEqual(target.command.commands.length, 0)
      // That of a group is its first command's.
      if (found(words).command.commands.length > 0 || isServer(target.command)) return
      const month = new Date().toISOString().slice(0, 7)
      const { code, stderr } = await inStore(line.join(" ").replace("2026-07", month))
      // The store has no such month, which is no fault of the command.
      if (/has no month|cannot be dropped/.test(stderr)) return
      assert.isTrue(code !== 2 && !/required|expected|must/.test(stderr), `${example}: ${stderr}`)
    },
  )

  it.each([
    ["help", []],
    ["help keys create", ["keys", "create"]],
    ["keys create -h", ["keys", "create"]],
  ] as const)("is what %j asks for", async (line, words) => {
    assert.deepStrictEqual(await inStore(line), { code: 0, stdout: textOf(words), stderr: "" })
  })

  it("offers --json for every command that answers", () => {
    const answering = commands.filter((words) => {
      const { command } = found(words)
      return command.commands.length === 0 && !isServer(command)
    })
    assert.isAbove(answering.length, 70)
    for (const words of answering)
      assert.match(textOf(words), /^ {2}--json {2,}Print .*one JSON object\.$/m, words.join(" "))
  })

  it("marks what is required, and shows the values of a choice", () => {
    const text = textOf(["keys", "create"])
    assert.match(text, /Usage\n {2}market-signals keys create --account text --env test\|live \[options\]\n/)
    assert.match(text, /\n {2}--account text +Account id or name\. Required\.\n/)
    assert.match(textOf(["keys", "revoke"]), /market-signals keys revoke <key> \[options\]/)
  })

  it.each([
    [["acount"], /^market-signals has no command "acount"\. Did you mean account\? See market-signals --help\.$/],
    [
      ["keys", "creat", "--json"],
      /^market-signals keys has no command "creat"\. Did you mean create\? See market-signals keys --help\.$/,
    ],
    [["zzzzzz"], /^market-signals has no command "zzzzzz"\. See market-signals --help\.$/],
    [["keys", "create", "--account", "x", "--env", "tst"], /^--env: expected test or live; got "tst"\.$/],
    [["keys", "create"], /^--account is required: Account id or name\.\n--env is required: Test keys are free\.$/],
    [
      ["keys", "list", "--acount", "x"],
      /^market-signals keys list has no option --acount\. Did you mean --account\? See market-signals keys list --help\.$/,
    ],
    [["keys", "list", "--zzzzzz"], /^market-signals keys list has no option --zzzzzz\. See .* --help\.$/],
    [["keys", "revoke"], /^<key> is required: Key id\.$/],
    [["keys", "list", "--account"], /^--account needs a value\.$/],
    [["keys", "list", "--account", "x", "--account", "y"], /^--account is given more than once\.$/],
    [["shadow", "report", "--last", "abc"], /^--last: expected a whole number; got "abc"\.$/],
    [["shadow", "report", "--last=abc"], /^--last: expected a whole number; got "abc"\.$/],
    [["dashboard", "link"], /^Give --account A, or --operator for a person who may do everything in every account\.$/],
    [["store", "import", "--from", "."], /^\. is no file\.$/],
    [["serve", "--port", "99999"], /^--port: expected a whole number from 0 to 65535; got 99999\.$/],
    [
      ["serve", "--store", "postgres://u:p4ss@h/d"],
      /^--store: expected a file\. A URL belongs in DATABASE_URL: lists of processes show arguments\.$/,
    ],
    [
      ["help", "acount"],
      /^market-signals has no command "acount"\. Did you mean account\? See market-signals --help\.$/,
    ],
    [
      ["serve", "extra"],
      /^market-signals serve takes no further argument: "extra"\. See market-signals serve --help\.$/,
    ],
    [
      ["backup", "copy"],
      /^market-signals backup takes no further argument: "copy"\. Give --out\. See market-signals backup --help\.$/,
    ],
  ])("%j is refused with its reason", async (args, reason) => {
    const { code, stdout, stderr } = await inStore(args.join(" "))
    assert.deepStrictEqual([code, stdout], [2, ""])
    assert.match(stderr, reason)
  })

  it.each(["version", "-v", "--version", "--log-level none --version"])("%s prints the version", async (line) => {
    assert.deepStrictEqual(await inStore(line), { code: 0, stdout: Release.version, stderr: "" })
  })

  it("is printed by a process of its own too, and what it refuses, plain where that is no terminal", async () => {
    assert.deepStrictEqual(await cli(), { code: 0, stdout: textOf([]), stderr: "" })
    for (const line of ["keys", "keys create"]) {
      const inProcess = await inStore(line)
      assert.deepStrictEqual(await cli(...line.split(" ")), inProcess)
      assert.notInclude(inProcess.stdout + inProcess.stderr, "\x1b")
    }
  })
})
