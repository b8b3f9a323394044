import { createServer } from "node:net"
import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mcpUrl, serve } from "../../../../adapters/server/mcp/bridge.ts"
import { freePort } from "../../../support/freePort.ts"

describe("the endpoint of a server", () => {
  it.each([
    ["https://api.test", [], "https://api.test/mcp"],
    ["https://api.test/", [], "https://api.test/mcp"],
    ["https://api.test/below/mcp/", [], "https://api.test/below/mcp"],
    ["https://api.test/mcp?a=1", ["weather", "nfl"], "https://api.test/mcp?a=1&toolsets=weather%2Cnfl"],
  ] as const)("of %s and %j", (baseUrl, toolsets, url) => assert.strictEqual(mcpUrl({ baseUrl, toolsets }).href, url))
})

it.live(
  "a request to nobody is answered with why, a notification with nothing, and the bridge ends with its client",
  () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(freePort)
      const [input, output] = [new PassThrough(), new PassThrough()]
      const messages = [{ method: "notifications/initialized" }, { id: 7, method: "tools/list" }]
      input.end(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""))
      yield* serve({ baseUrl: `http://127.0.0.1:${port}`, authorization: undefined, input, output })
      output.end()
      const lines = (yield* Effect.promise(() => text(output))).trim().split("\n")
      assert.deepStrictEqual(
        lines.map((line) => JSON.parse(line)),
        [
          {
            jsonrpc: "2.0",
            id: 7,
            error: { code: -32_000, message: `Cannot reach http://127.0.0.1:${port}/mcp: ECONNREFUSED.` },
          },
        ],
      )
    }),
)

it.live(
  "a server that is silent is given up, and only a call that could be charged is said to be charged perhaps",
  () =>
    Effect.gen(function* () {
      const server = createServer()
      const port = yield* Effect.promise(freePort)
      yield* Effect.promise(() => new Promise<void>((done) => server.listen(port, "127.0.0.1", done)))
      const said = Effect.fnUntraced(function* (method: string, authorization: string) {
        const [input, output] = [new PassThrough(), new PassThrough()]
        input.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { name: "weather_signal" } })}\n`)
        yield* serve({ baseUrl: `http://127.0.0.1:${port}`, authorization, input, output, maxSilenceMs: 50 })
        output.end()
        const { error } = JSON.parse(yield* Effect.promise(() => text(output)))
        assert.match(error.message, /did not answer in 0.05 s\./)
        return /may have been charged/.test(error.message)
      })
      assert.deepStrictEqual(
        [
          yield* said("initialize", "Bearer svk_live_"),
          yield* said("tools/call", "Bearer svk_test_"),
          yield* said("tools/call", "Bearer svk_live_"),
        ],
        [false, false, true],
      )
      server.close()
    }),
)
