import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import type * as Client from "../../../adapters/client/mod.ts"
import { type Running, start } from "../../support/running.ts"
import { visit } from "./support/page.ts"

let running: Running
let site: Server
let address: string

/** A site of somebody else, whose page loads the client. */
beforeAll(async () => {
  running = await start({}, { balance: 1_000_000 })
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../../adapters/client/mod.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  })
  const page =
    '<!doctype html><link rel="icon" href="data:,"><title>A site</title><script type="module">import * as client from "/client.js"; globalThis.client = client</script>'
  site = createServer(({ url }, answer) => {
    const isScript = url === "/client.js"
    answer.setHeader("content-type", isScript ? "text/javascript" : "text/html")
    answer.end(isScript ? outputFiles[0]!.contents : page)
  })
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}, 60_000)
afterAll(async () => {
  site.close()
  await running.stop()
})

describe("the client in a page of another site", () => {
  it("pays for a call, and reads an error with its code and hints", () =>
    visit(
      "client",
      {},
      async ({ page }) => {
        await page.goto(address)
        const before = await running.balance()
        const answered = await page.evaluate(
          async ([baseUrl, key]) => {
            const { makeClient, ServiceError } = (globalThis as unknown as { readonly client: typeof Client }).client
            const client = makeClient({ baseUrl, key })
            const { results, _meta } = await client.weather_settlement({ station: "KNYC", day: "2026-07-08" })
            const refused = await client.nfl_games({ team: "no team" }).catch((error: unknown) => error)
            return {
              station: results.station.id,
              charged: _meta.price.charged_micros,
              refused: refused instanceof ServiceError ? [refused.code, refused.hints[0]?.field] : String(refused),
            }
          },
          [running.url, running.account.live.token] as const,
        )
        assert.deepStrictEqual(answered, {
          station: "KNYC",
          charged: 1_000,
          refused: ["invalid_parameter", "team"],
        })
        assert.strictEqual(await running.balance(), before - 1_000)
      },
      /status of 400/,
    ))
})
