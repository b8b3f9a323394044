import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { config } from "../../services/Config.ts"

const read = (environment: Readonly<Record<string, string>>) =>
  Effect.runSync(
    Effect.either(config).pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
      Effect.map(Either.map(({ mcp }) => mcp)),
    ),
  )

describe("the settings of MCP", () => {
  it.each<
    [
      string,
      Readonly<Record<string, string>>,
      { legacySse?: boolean; allowedHosts?: ReadonlyArray<string>; toolsets?: ReadonlyArray<string> },
    ]
  >([
    ["nothing", {}, {}],
    ["the deprecated transport off", { MCP_LEGACY_SSE: "false" }, { legacySse: false }],
    ["the deprecated transport on", { MCP_LEGACY_SSE: "true" }, { legacySse: true }],
    ["toolsets", { MCP_TOOLSETS: "weather, crypto,weather" }, { toolsets: ["weather", "crypto"] }],
    ["no toolset", { MCP_TOOLSETS: "" }, {}],
    [
      "hosts, in any case, with space",
      { MCP_ALLOWED_HOSTS: "Agents.Example.com, 10.0.0.5,,[FD00::1]" },
      { allowedHosts: ["agents.example.com", "10.0.0.5", "[fd00::1]"] },
    ],
  ])("%s", (_, environment, expected) => {
    assert.deepStrictEqual(
      read(environment),
      Either.right({ legacySse: true, allowedHosts: [], toolsets: [], ...expected }),
    )
  })

  it.each([
    ["MCP_LEGACY_SSE", "maybe"],
    ["MCP_ALLOWED_HOSTS", "https://agents.example.com"],
    ["MCP_ALLOWED_HOSTS", "agents.example.com:8080"],
    ["MCP_ALLOWED_HOSTS", "agents.example.com/mcp"],
    ["MCP_ALLOWED_HOSTS", "user@agents.example.com"],
    ["MCP_ALLOWED_HOSTS", "good.example, b ad"],
    ["MCP_TOOLSETS", "weather,wether"],
    // A lane in development has no tools.
    ["MCP_TOOLSETS", "filings"],
  ])("%s=%s is refused", (name, value) => {
    assert.isTrue(Either.isLeft(read({ [name]: value })))
  })

  it("names the toolsets where one is unknown", () => {
    const refused = Either.getOrThrow(Either.flip(read({ MCP_TOOLSETS: "wether" })))
    assert.include(
      String(refused),
      'Unknown toolset "wether". Toolsets: weather, football, baseball, crypto, markets, manage.',
    )
  })
})
