import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll } from "vitest"
import { blocksOf, commands, documents, programs } from "./read.ts"
import { filledIn, notRun } from "./rules.ts"
import { type World, world } from "./world.ts"

export interface Installed {
  /** A folder whose `node_modules` has the package. */
  readonly folder: string
  /** The command line in it. */
  readonly program: () => string
  /** Runs a program to its end; what it printed. */
  readonly run: (file: string, args: ReadonlyArray<string>, cwd: string, env?: NodeJS.ProcessEnv) => Promise<string>
  readonly tsc: string
}

const places = documents.flatMap(blocksOf)

/** The servers of a client's configuration. */
interface Configuration {
  readonly mcpServers: Readonly<
    Record<
      string,
      | { readonly command: string; readonly args: Array<string>; readonly env: Readonly<Record<string, string>> }
      | { readonly type: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> }
    >
  >
}

/** Everything in the documents that a reader can run, against one server of the installed package. */
export const documentSuite = ({ folder, program, run, tsc }: Installed): void => {
  describe.sequential("what the documents say", { timeout: 300_000 }, () => {
    const here = join(folder, "documents")
    let reader: World
    beforeAll(async () => {
      mkdirSync(here)
      reader = await world(here, program())
    }, 300_000)
    afterAll(() => reader?.stop())

    it("names commands that are run here, or listed with the reason why not", () => {
      assert.isAbove(commands.length, 50)
      for (const [pattern] of notRun)
        assert.isTrue(
          commands.some(({ text }) => pattern.test(text)),
          `${pattern} fits none`,
        )
    })

    const runnable = commands.filter(({ text }) => !notRun.some(([pattern]) => pattern.test(text)))
    const rows = (isAlone: boolean) =>
      runnable
        .filter((command) => command.isAlone === isAlone)
        .map((command) => [`${command.file}:${command.line} ${command.text}`, command.text] as const)
    // One after the other: keys are for accounts, restoring for backups.
    it.each(rows(false))("%s", async (_, text) => {
      await reader.run(text)
    })
    describe("in sentences", { concurrent: true }, () => {
      it.each(rows(true))("%s", async (_, text) => {
        await reader.run(text)
      })
    })

    it("has programs that are typed, run and print something", async () => {
      assert.isAbove(programs.length, 2)
      const own = join(here, "programs")
      mkdirSync(own)
      symlinkSync(join(folder, "node_modules"), join(own, "node_modules"))
      writeFileSync(join(own, "package.json"), '{ "type": "module", "private": true }')
      const names = programs.map(({ file, line }) => `${file.replace(/\W/g, "-")}-${line}`)
      for (const [at, { text }] of programs.entries())
        writeFileSync(join(own, `${names[at]}.ts`), filledIn(text, reader.known()))
      const options = ["--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--types", "node"]
      await run(process.execPath, [tsc, ...options, "--outDir", "out", ...names.map((name) => `${name}.ts`)], own)
      // A server does not end: test/package/mountSuite.ts runs it.
      const ending = names.filter((_, at) => !programs[at]!.text.includes("serve("))
      assert.isNotEmpty(ending)
      for (const name of ending) {
        assert.match(await run(process.execPath, [`out/${name}.js`], own, { ...reader.environment }), /\d/, name)
      }
    })

    const configurations = places.filter(({ language }) => language === "json")
    it.each(configurations.map((block) => [`${block.file}:${block.line}`, block.text] as const))(
      "%s connects a client of MCP",
      async (_, text) => {
        const { mcpServers } = JSON.parse(filledIn(text, reader.known())) as Configuration
        assert.isNotEmpty(Object.keys(mcpServers))
        for (const server of Object.values(mcpServers)) {
          const client = new Client({ name: "test", version: "1" })
          await client.connect(
            "command" in server
              ? new StdioClientTransport({
                  ...server,
                  // As desktop clients do.
                  cwd: "/",
                  env: { ...reader.environment, ...server.env },
                })
              : new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } }),
          )
          try {
            const { tools } = await client.listTools()
            assert.isTrue(tools.some(({ name }) => name === "weather_settlement"))
            const { isError, content } = await client.callTool({
              name: "weather_settlement",
              arguments: { station: "KNYC" },
            })
            assert.isNotTrue(isError, JSON.stringify(content))
          } finally {
            await client.close()
          }
        }
      },
    )
  })
}
