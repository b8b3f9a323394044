import assert from "node:assert/strict"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Cli from "../../services/cli/main.ts"
import { exitCode } from "../../services/exit.ts"

/** A command line without a process of its own, over a store. A `+` in a word stands for a blank. */
export const commandLine = (
  file: string,
  environment: Readonly<Record<string, string>> = {},
  main: typeof Cli.main = Cli.main,
) => {
  const cli = async (line: string, more: Readonly<Record<string, string>> = {}) => {
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    const into = (lines: Array<string>) => (text: string) => Effect.sync(() => void lines.push(text))
    const real = Context.get(DefaultServices.liveServices, Console.Console)
    const written = new Proxy(real, {
      get: (console, name) => (name === "log" ? into(out) : name === "error" ? into(err) : Reflect.get(console, name)),
    })
    const config = ConfigProvider.fromMap(
      new Map(Object.entries({ DATABASE_URL: `sqlite:${file}`, ...environment, ...more })),
    )
    const args = line.split(" ").map((word) => word.replaceAll("+", " "))
    const exit = await Effect.runPromiseExit(
      main(["node", "cli", ...args]).pipe(
        Effect.provide(NodeContext.layer),
        Effect.withConsole(written),
        Effect.withConfigProvider(config),
      ),
    )
    return { code: exitCode(exit), stdout: out.join("\n"), stderr: err.join("\n") }
  }
  /** Runs a line with `--json` and gives back what it printed. */
  const parsed = async (line: string, more: Readonly<Record<string, string>> = {}) => {
    const { code, stdout, stderr } = await cli(`${line} --json`, more)
    assert.deepStrictEqual([code, stderr], [0, ""], line)
    return JSON.parse(stdout)
  }
  return { cli, parsed }
}
