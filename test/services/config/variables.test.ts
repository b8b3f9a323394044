import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as ConfigProviderPathPatch from "effect/ConfigProviderPathPatch"
import * as Effect from "effect/Effect"
import * as HashSet from "effect/HashSet"
import { envExample } from "../../../bench/tools/envExample.ts"
import { callerUrl, config } from "../../../services/Config.ts"
import { callerKey } from "../../../services/config/caller.ts"
import { logging } from "../../../services/config/logs.ts"
import { fileVariable, misspelled } from "../../../services/config/values.ts"
import { variables } from "../../../services/config/variables.ts"
import * as processes from "../../support/processes.ts"

const names = variables.map(({ name }) => name)

/** The variables that the settings ask for. */
const asked = Effect.gen(function* () {
  const found = new Set<string>()
  const provider = ConfigProvider.fromFlat(
    ConfigProvider.makeFlat({
      load: (path) => {
        found.add(path.join("_"))
        return Effect.fail(ConfigError.MissingData([...path], "absent"))
      },
      enumerateChildren: () => Effect.succeed(HashSet.empty()),
      patch: ConfigProviderPathPatch.empty,
    }),
  )
  yield* Effect.withConfigProvider(Effect.all([config, logging, callerKey, callerUrl]), provider)
  return found
})

const cli = async (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) => {
  const child = processes.start("services/cli.ts", args, { DATABASE_URL: "sqlite::memory:", ...environment })
  const code = await child.ended
  return { code, stdout: child.lines.join("\n"), stderr: child.stderr().trim() }
}

describe("the environment variables", () => {
  it.effect("are those that the settings read, each named once", () =>
    Effect.map(asked, (found) => {
      // A secret may be in a file.
      const files = variables.flatMap(({ name, isSecret }) => (isSecret === true ? [fileVariable(name)] : []))
      assert.deepStrictEqual([...names, ...files].sort(), [...found].sort())
      assert.strictEqual(new Set(names).size, names.length)
    }),
  )

  it("stand in .env.example with their meaning, none of them set (npm run docs writes it)", () => {
    assert.strictEqual(readFileSync(new URL("../../../.env.example", import.meta.url), "utf8"), envExample())
    for (const line of envExample().split("\n")) assert.match(line, /^(#|$)/)
  })

  it.each([
    ["DATA_FRESHNES", "DATA_FRESHNESS"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["ADMIN_TOKNE", "ADMIN_TOKEN"],
    ["LOG_LEVELS", "LOG_LEVEL"],
    ["DATA_FRESHNESS_FOTBALL", "DATA_FRESHNESS_FOOTBALL"],
  ])("%s is a near miss of %s", (name, near) => {
    assert.deepStrictEqual(misspelled(names, [name]), [[name, near]])
  })

  it("of other programs are none", () => {
    const others = [
      "PATH",
      "HOME",
      "HOSTNAME",
      "PORTS",
      "MLB_URI",
      "NODE_ENV",
      "PGHOST",
      "DATABASE",
      "MARKET_SIGNALS_DATA",
    ]
    assert.deepStrictEqual(misspelled(names, [...others, ...names]), [])
  })

  it("whose name is nearly right stop the program", async () => {
    const { code, stderr } = await cli(["jobs", "list"], { DATA_FRESHNES: "live", LOG_LEVLE: "info" })
    assert.deepStrictEqual(
      [code, stderr],
      [
        1,
        [
          "DATA_FRESHNES: This program has no such variable. Did you mean DATA_FRESHNESS?",
          "LOG_LEVLE: This program has no such variable. Did you mean LOG_LEVEL?",
        ].join("\n"),
      ],
    )
  })

  it("are shown with their origin, secrets masked", async () => {
    const token = "t0ken-".repeat(8)
    const given = { ADMIN_TOKEN: token, ADMIN_LISTEN: "8081", DATABASE_URL: "sqlite:/tmp/a.db", PORT: "9" }
    const text = (await cli(["config", "show"], given)).stdout
    assert.match(text, /\n {2}PORT +set +9\n/)
    assert.match(text, /\n {2}HOST +127\.0\.0\.1\n/)
    assert.match(text, /\n {2}ADMIN_TOKEN +set +\(48 characters\)\n/)
    assert.notInclude(text, "t0ken")
    const keys = { RECORD_KEY_FILE: "a", SECRETS_KEY_FILE: "b" }
    const json = await cli(["config", "show", "--json"], { ...keys, DATABASE_URL: "postgres://me:p4ss@host/db" })
    const shown: ReadonlyArray<{ name: string; value?: string; origin: string }> = JSON.parse(json.stdout).variables
    assert.deepStrictEqual(
      shown.map(({ name }) => name),
      names,
    )
    const found = shown.find(({ name }) => name === "DATABASE_URL")
    assert.deepStrictEqual([found?.value, found?.origin], ["postgres://me:…@host/db", "environment"])
    assert.notInclude(json.stdout, "p4ss")
  })

  it("that are wrong are shown all the same, and refused", async () => {
    const { code, stdout, stderr } = await cli(["config", "show"], { PORT: "abc" })
    assert.deepStrictEqual([code, stderr], [1, 'PORT: Expected a whole number from 0 to 65535. Got "abc".'])
    assert.match(stdout, /PORT +set +abc/)
  })
})
