import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"
import { entries } from "../../../../adapters/describe/tools/tools.ts"
import * as mcp from "../../../../adapters/server/mcp/mod.ts"
import { codes } from "../../../../core/Failure.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { type Running, start } from "../../../support/running.ts"
import { connect, overHttp } from "./clients.ts"

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

// The first count of generated markets takes a while.
describe.each(Object.entries(overHttp))("%s: resources", { timeout: 120_000 }, (_, way) => {
  const connected = () => connect(service.url, way, undefined, fetch, service.account.live.token)

  it("are the full reference, the error table and a schema per tool, without a key", async () => {
    const client = await connected()
    const { resources } = await client.listResources()
    const scheme = "market-signals://"
    assert.sameMembers(
      resources.map(({ uri }) => uri),
      [
        ...[`${scheme}llms-full.txt`, `${scheme}errors`, `${scheme}schemas/error`],
        ...entries(catalogue).map(({ tool: { name } }) => `${scheme}schemas/${name}`),
      ],
    )
    for (const { uri, mimeType } of resources) {
      const { contents } = await client.readResource({ uri })
      assert.deepStrictEqual(
        contents.map((each) => [each.uri, each.mimeType]),
        [[uri, mimeType]],
      )
    }
    const [template, ...others] = (await client.listResourceTemplates()).resourceTemplates
    assert.lengthOf(others, 0)
    const uri = template!.uriTemplate.replace("{tool}", "weather_signal")
    assert.strictEqual((await client.readResource({ uri })).contents[0]!.mimeType, template!.mimeType)
    await client.close()
  })

  it("have prompts beside them, whose texts name tools that there are", async () => {
    const client = await connected()
    const { prompts } = await client.listPrompts()
    assert.lengthOf(prompts, 3)
    const tools = new Set(mcp.listTools(catalogue).map(({ name }) => name))
    for (const { name, arguments: needed = [] } of prompts) {
      const given = Object.fromEntries(needed.map((one) => [one.name, `my ${one.name}`]))
      const { messages } = await client.getPrompt({ name, arguments: given })
      const { text } = messages[0]!.content as { readonly text: string }
      for (const value of Object.values(given)) assert.include(text, value)
      for (const [, tool] of text.matchAll(/`((?:weather|nfl|mlb|markets)_[a-z_]+|pricing)`/g))
        assert.include([...tools], tool)
    }
    await client.close()
  })

  it("hold what the documents and the answers hold", async () => {
    const client = await connected()
    const read = async (path: string): Promise<string> => {
      const { contents } = await client.readResource({ uri: `market-signals://${path}` })
      return (contents[0] as { readonly text: string }).text
    }
    const reference = await fetch(`${service.url}/llms-full.txt`).then((page) => page.text())
    // A connected client needs no line that connects it.
    assert.strictEqual(await read("llms-full.txt"), reference.replace(/^## Clients\n[\s\S]*?(?=^## Quickstart\n)/m, ""))
    const errors = await read("errors")
    for (const code of Object.keys(codes)) assert.include(errors, `- \`${code}\` (`)

    const validators = new AjvJsonSchemaValidator()
    const { json } = await service.get("/v1/crypto/spot?verbose=true")
    const whole = validators.getValidator(JSON.parse(await read("schemas/crypto_spot")))
    assert.isTrue(whole(json).valid)
    assert.isFalse(whole({ ...json, results: { ...json.results, unknown: 1 } }).valid)
    const failed = validators.getValidator(JSON.parse(await read("schemas/error")))
    assert.isTrue(failed((await service.get("/v1/crypto/spot?asset=XRP")).json).valid)
    assert.isFalse(failed(json).valid)
    await client.close()
  })

  it.each(["market-signals://schemas/nothing", "file:///etc/passwd", "__proto__", ""])(
    "%j is not found",
    async (uri) => {
      const client = await connected()
      const error = await client.readResource({ uri }).then(
        () => assert.fail("read"),
        (failed: { readonly code: number; readonly data: unknown }) => failed,
      )
      assert.deepStrictEqual([error.code, error.data], [-32_602, { uri }])
      await client.close()
    },
  )
})

describe("what a client has in its context", () => {
  it("is at most 40 kB of tools", async () => {
    const answer = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    })
    const text = await answer.text()
    assert.include(text, '"markets_performance"')
    assert.isAtMost(Buffer.byteLength(text), 40_000)
  })
})
