import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import { config } from "../../services/Config.ts"
import { variables } from "../../services/config/variables.ts"
import { exitWith } from "../../services/exit.ts"
import { commandLine } from "../support/commandLine.ts"

/** What an operator reads when a program fails. */
const printed = <A, E>(program: Effect.Effect<A, E>) => {
  const lines: Array<string> = []
  const real = Context.get(DefaultServices.liveServices, Console.Console)
  const console = new Proxy(real, {
    get: (target, name) =>
      name === "error" ? (text: string) => Effect.sync(() => void lines.push(text)) : Reflect.get(target, name),
  })
  return Effect.as(Effect.exit(exitWith(program)).pipe(Effect.withConsole(console)), lines).pipe(
    Effect.map((all) => all.join("\n")),
  )
}

/** An operator's view of a configuration error. */
const told = (environment: Readonly<Record<string, string>>) =>
  printed(Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map(Object.entries(environment)))))

it.effect("a damaged store is named in one line, whatever finds it", () =>
  Effect.gen(function* () {
    const cause = Object.assign(new Error("database disk image is malformed"), { code: "SQLITE_CORRUPT" })
    const lines = yield* printed(Effect.die(new SqlError({ cause, message: "Failed to execute statement" })))
    assert.strictEqual(
      lines,
      "Cannot use the store: the store is damaged: restore a backup. database disk image is malformed.",
    )
  }),
)

const url = "Expected a URL that begins with http: or https:, without a password."

describe("a variable that cannot be read", () => {
  for (const [name, value, sentence] of [
    ["PORT", "eighty", 'Expected a whole number from 0 to 65535. Got "eighty".'],
    ["PORT", "99999", 'Expected a whole number from 0 to 65535. Got "99999".'],
    ["MCP_LEGACY_SSE", "maybe", 'Expected true or false. Got "maybe".'],
    ["OTEL_TRACES_SAMPLER_ARG", "2", 'Expected a number from 0 to 1. Got "2".'],
    ["BASE_URL", "https://user:p4ss@ example", url],
    ["NWS_URL", "https://user:p4ss@example.com", url],
    ["KALSHI_URL", "ftp://example.com", `${url} Got "ftp://example.com".`],
    ["ADMIN_TOKEN", "a-short-secret", "Expected at least 32 characters."],
    ["SIGN_UP", "anybody", 'Expected open or invited. Got "anybody".'],
    ["OIDC_OPERATORS", "operators", "Expected a claim and its value, such as groups=operators."],
    [
      "OIDC_ISSUER",
      "http://id.example",
      "Expected the provider's URL, https (or http on this machine), without query, fragment or password.",
    ],
    ["DATABASE_URL", "mysql://user:p4ss@example", "Expected sqlite:<path> or postgres://<user>@<host>/<database>."],
    ["DATABASE_URL", "postgres:user:p4ss@example", "Expected sqlite:<path> or postgres://<user>@<host>/<database>."],
    ["DATA_FRESHNESS", "fresh", 'Expected mock, shadow or live. Got "fresh".'],
    ["DATA_FRESHNESS_CRYPTO", "fresh", 'Expected mock, shadow or live. Got "fresh".'],
    [
      "TERMS_ACCEPTED",
      "YES",
      'Expected some of twc, mlb, coinbase, kraken, kalshi, polymarket, separated by commas. Got "YES".',
    ],
    ["RECORD_KEY_NEW", "true", 'Expected yes or no. Got "true".'],
    ["SECRETS_KEY_NEW", "1", 'Expected yes or no. Got "1".'],
    ["STOP_PAUSE_SECONDS", "-1", 'Expected a whole number from 0 to 300. Got "-1".'],
    ["DISK_RESERVE_MB", "-1", 'Expected a whole number of at least 0. Got "-1".'],
    ["AUDIT_MONTHS", "1", 'Expected a whole number of at least 2. Got "1".'],
  ] as const) {
    it.effect(`${name} is named, once, and its secrets are not`, () =>
      Effect.map(told({ [name]: value }), (text) => {
        assert.strictEqual(text, `${name}: ${sentence}`)
        for (const secret of ["p4ss", "a-short-secret"]) assert.notInclude(text, secret)
      }),
    )
  }

  it.effect.each(variables.map(({ name, config }) => [name, config] as const))(
    "%s is refused in sentences of our own, whatever it is",
    ([name, config]) =>
      Effect.forEach(["", " ", "-1", "1e999", "nonsense", "\\u0000{", "true,", "http://[", "ftp://x"], (value) =>
        Effect.map(
          printed(Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map([[name, value]])))),
          (text) => {
            if (text === "") return
            assert.isTrue(text.startsWith(`${name}: `) && /[.!]$/.test(text), text)
            assert.notMatch(
              text,
              /but received|Expected (an? )?(integer|boolean|number) value|network port|non-empty string/,
            )
          },
        ),
      ),
  )

  it.effect("PostgreSQL has no transport whose sessions live in one process", () =>
    Effect.gen(function* () {
      const given = { DATABASE_URL: "postgres://user@example/store", RECORD_KEY_FILE: "a", SECRETS_KEY_FILE: "b" }
      assert.strictEqual(
        yield* told({ ...given, MCP_LEGACY_SSE: "true" }),
        "MCP_LEGACY_SSE: The deprecated transport keeps its sessions in one process, and PostgreSQL serves several: it is off there.",
      )
      for (const [environment, legacySse, stopPauseMs] of [
        [{}, true, 0],
        [given, false, 5_000],
        [{ ...given, MCP_LEGACY_SSE: "false", STOP_PAUSE_SECONDS: "2" }, false, 2_000],
        [{ STOP_PAUSE_SECONDS: "1" }, true, 1_000],
      ] as const) {
        const found = yield* Effect.withConfigProvider(
          config,
          ConfigProvider.fromMap(new Map(Object.entries<string>(environment))),
        )
        assert.deepStrictEqual([found.mcp.legacySse, found.stopPauseMs], [legacySse, stopPauseMs])
      }
    }),
  )

  it.effect("PostgreSQL needs named key files, which every node has", () =>
    Effect.gen(function* () {
      const DATABASE_URL = "postgres://user:p4ss@example/store"
      const sentence = "With PostgreSQL, name a file that every node has: a node must not make a key of its own."
      assert.strictEqual(yield* told({ DATABASE_URL }), `RECORD_KEY_FILE: ${sentence}`)
      assert.strictEqual(yield* told({ DATABASE_URL, RECORD_KEY_FILE: "a" }), `SECRETS_KEY_FILE: ${sentence}`)
    }),
  )

  it.effect("several are named together", () =>
    Effect.map(told({ PORT: "x", RECORD_KEY_NEW: "y" }), (text) => {
      assert.match(text, /^PORT: .*\nRECORD_KEY_NEW: /)
    }),
  )
})

describe("a file that cannot be used", () => {
  it.runIf(process.platform === "linux")("is refused at once where folders cannot be made", async () => {
    for (const line of ["account list", "serve"]) {
      const { code, stderr } = await commandLine("/proc/none/below/store.db").cli(line)
      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /^Cannot create the folder of \/proc\/none\/below\/store\.db.*: ENOENT: .*, mkdir '\/proc\/none'\.?$/,
      )
    }
  })
})
