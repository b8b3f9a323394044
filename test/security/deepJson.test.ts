import { Readable, Writable } from "node:stream"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Body from "../../adapters/server/http/body.ts"
import { serve as bridge } from "../../adapters/server/mcp/bridge.ts"
import { type Running, start } from "../support/running.ts"

const token = "an-operator's-token-of-32-characters"
let service: Running
beforeAll(async () => {
  service = await start({
    admin: { token: Option.some(Redacted.make(token)), listen: Option.some({ host: "127.0.0.1", port: 0 }) },
  })
})
afterAll(() => service.stop())

const arrays = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`

describe("how deep JSON is", () => {
  const read = (text: string) => Body.parseJson(Buffer.from(text))
  it.each<[string, string, "not JSON" | "too deep" | undefined]>([
    ["the deepest arrays", arrays(32), undefined],
    ["one more", arrays(33), "too deep"],
    ["the deepest objects", objects(32), undefined],
    ["one more of them", objects(33), "too deep"],
    ["both in turn", '{"a":['.repeat(17), "too deep"],
    ["many side by side", `[${Array.from({ length: 1_000 }, () => "[]").join()}]`, undefined],
    ["brackets in a text", JSON.stringify("[".repeat(100)), undefined],
    ["behind a quote in a text", JSON.stringify(`\\"${"[".repeat(100)}`), undefined],
    ["behind a backslash at the end of a text", `["\\\\",${arrays(32)}]`, "too deep"],
    ["a key of brackets", JSON.stringify({ ["{".repeat(100)]: 1 }), undefined],
    ["more ends than beginnings", "]".repeat(100), "not JSON"],
    ["a text without an end", `"${"[".repeat(100)}`, "not JSON"],
    ["as deep as a body is long", "[".repeat(65_536), "too deep"],
  ])("%s", (_, text, expected) => {
    const found = read(text)
    if (expected === undefined) assert.deepStrictEqual(found, Either.right(JSON.parse(text)))
    else assert.deepStrictEqual(found, Either.left(expected))
  })
})

const depths = [33, 1_000, 5_000, 20_000]

describe.each(depths)("%d deep", (depth) => {
  const texts = [arrays(depth), objects(depth > 9_000 ? 9_000 : depth)]

  it("a plan is 400 with a hint", async () => {
    for (const deep of texts) {
      const { status, json } = await service.get("/v1/plan/estimate", service.account.test.token, {
        method: "POST",
        body: `{"calls":[{"endpoint":"weather_stations","params":{"fields":${deep}}}]}`,
      })
      assert.deepStrictEqual(
        [status, json.error.code, json.error.hints[0].field],
        [400, "invalid_request_body", "body"],
      )
      assert.include(json.error.hints[0].suggestion, "32")
    }
  })

  it("a tool's arguments are 400, with a key and without", async () => {
    for (const deep of texts) {
      for (const headers of [{}, { authorization: `Bearer ${service.account.test.token}` }]) {
        for (const path of ["/mcp", "/mcp/messages?sessionId=x"]) {
          const answer = await fetch(service.url + path, {
            method: "POST",
            headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
            body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"markets_settled","arguments":{"domain":${deep}}}}`,
          })
          const { error, id } = (await answer.json()) as { error: { code: number; message: string }; id: unknown }
          assert.deepStrictEqual([answer.status, error.code, id], [400, -32_600, null])
          assert.include(error.message, "32")
        }
      }
    }
  })

  it("an operator's input is 400 with a hint", async () => {
    for (const deep of texts) {
      const answer = await fetch(`${service.adminUrl}/admin/v1/accounts`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: `{"name":${deep}}`,
      })
      const { error } = (await answer.json()) as { error: { code: string; hints: ReadonlyArray<{ field: string }> } }
      assert.deepStrictEqual([answer.status, error.code, error.hints[0]!.field], [400, "invalid_request_body", "body"])
    }
  })

  it("a message over standard input is an error of the protocol", async () => {
    let written = ""
    const output = new Writable({
      write: (chunk, _, done) => {
        written += chunk
        done()
      },
    })
    await service.run(
      bridge({
        input: Readable.from([Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"x","params":${texts[0]}}\n`)]),
        output,
        baseUrl: service.url,
        authorization: undefined,
      }),
    )
    assert.strictEqual(JSON.parse(written).error.code, -32_600)
  })
})

it("what is as deep as it may be is read by all of them", async () => {
  const { status, json } = await service.get("/v1/plan/estimate", service.account.test.token, {
    method: "POST",
    // Five levels are around it.
    body: `{"calls":[{"endpoint":"weather_stations","params":{"fields":${arrays(28)}}}]}`,
  })
  assert.notStrictEqual(json.error?.hints[0]?.field, "body")
  assert.isBelow(status, 500)
})
