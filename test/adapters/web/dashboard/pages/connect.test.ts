import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { overHttp, overStdio } from "../../../../../adapters/describe/clients.ts"
import * as Release from "../../../../../core/release.ts"
import { type Running, start } from "../../../../support/running.ts"
import { signIn, type Visitor } from "../visitor.ts"

const address = "https://signals.example"
const path = "/dashboard/connect"

let running: Running
let owner: Visitor
let viewer: Visitor

beforeAll(async () => {
  running = await start()
  owner = await signIn(running, { account: "tester" })
  viewer = await signIn(running, { account: "tester", name: "vic", role: "viewer" })
}, 120_000)
afterAll(() => running.stop())

/** The blocks of code of a page, as a reader copies them, but for those that install a package. */
const blocks = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<pre><code>([\s\S]*?)<\/code><\/pre>/g)]
    .map(([, text]) =>
      text!
        .replace(/<[^>]+>/g, "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&"),
    )
    .filter((text) => !/^(npm|pip) install /.test(text))

describe("the settings to connect", () => {
  it("name the place of the key, for viewers too", async () => {
    for (const visitor of [owner, viewer]) {
      const { status, html } = await visitor.get(path)
      assert.strictEqual(status, 200)
      const all = blocks(html)
      assert.strictEqual(all.length, 4)
      for (const text of all) assert.include(text, "<API key>")
      assert.notInclude(html, "svk_")
    }
  })

  it("have a new key once, with which their calls work", async () => {
    const made = await owner.send("/dashboard/keys/new", "create", { environment: "test" })
    assert.deepStrictEqual([made.status, made.headers.get("cache-control")], [200, "no-store"])
    const [key] = /svk_test_[0-9A-Za-z]{49}/.exec(made.html)!
    const all = blocks(made.html)
    for (const text of all) assert.include(text, key)
    const [curl] = all
    const url = new URL(/"(http[^"]+)"/.exec(curl!)![1]!)
    assert.include(curl, `-H "Authorization: Bearer ${key}"`)
    assert.strictEqual((await running.get(url.pathname + url.search, key)).status, 200)
    const settings = all.flatMap((text) => (text.startsWith("{") ? [JSON.parse(text)] : []))
    assert.strictEqual(settings.length, 1)
    const { headers } = settings[0].mcpServers["market-signals"]
    const tools = await fetch(`${running.url}/mcp`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    })
    assert.strictEqual(tools.status, 200)
    for (const shown of [path, "/dashboard/keys"]) assert.notInclude((await owner.get(shown)).html, key)
  })

  it("have the server's public address", () => {
    assert.strictEqual(overHttp(address, "")["market-signals"].url, `${address}/mcp`)
    const { command, args } = overStdio(address, "")["market-signals"]
    assert.deepStrictEqual(
      [command, args.slice(-3)],
      ["npx", [`${address}/install/market-signals-mcp.tgz?version=${Release.version}`, "--url", address]],
    )
  })
})
