import { execFile, spawnSync } from "node:child_process"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeClient, Unreachable } from "../../../adapters/client/mod.ts"
import { serve } from "../../../adapters/server/mcp/bridge.ts"

const key = `svk_live_${"A".repeat(49)}`
const { status: withoutPython } = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"])

const listening = async (listener: RequestListener) => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { port: (server.address() as AddressInfo).port, stop: () => server.closeAllConnections() }
}

let [status, reached] = [307, 0]
let here: Awaited<ReturnType<typeof listening>>
let there: Awaited<ReturnType<typeof listening>>
beforeAll(async () => {
  there = await listening((_, response) => {
    reached++
    response.setHeader("content-type", "application/json").end('{"results":{},"_meta":{}}')
  })
  here = await listening((request, response) => {
    // By its name it is another origin.
    response.writeHead(status, { location: `http://localhost:${there.port}${request.url}` }).end()
  })
})
afterAll(() => [here, there].forEach(({ stop }) => void stop()))

const typescript = async (): Promise<string> => {
  const client = makeClient({ baseUrl: `http://127.0.0.1:${here.port}`, key })
  const failed = (call: Promise<unknown>) =>
    call.then(
      () => assert.fail("It was answered."),
      (error) => error as Unreachable,
    )
  const errors = [await failed(client.crypto_spot({ asset: "BTC" })), await failed(client.plan_estimate({ calls: [] }))]
  for (const error of errors) assert.instanceOf(error, Unreachable)
  return errors.map(({ message }) => message).join()
}

const python = async (): Promise<string> => {
  const program = `from market_signals import *
try:
    Client("http://127.0.0.1:${here.port}", "${key}").crypto_spot(asset="BTC")
except Unreachable as error:
    print(error)`
  const PYTHONPATH = join(process.cwd(), "adapters/client/python")
  const env = { PATH: process.env["PATH"], PYTHONPATH, PYTHONDONTWRITEBYTECODE: "1" }
  return (await promisify(execFile)("python3", ["-c", program], { env })).stdout
}

const bridge = async (): Promise<string> => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`)
  const options = { baseUrl: `http://127.0.0.1:${here.port}`, authorization: `Bearer ${key}`, input, output }
  await Effect.runPromise(serve(options))
  output.end()
  return text(output)
}

describe.each([
  ["the client", typescript],
  ...(withoutPython === 0 ? ([["the client of Python", python]] as const) : []),
  ["the bridge of MCP", bridge],
] as const)("%s", (_, call) => {
  it.each([301, 302, 303, 307, 308])("follows no redirect to another origin, and says so (%i)", async (given) => {
    status = given
    reached = 0
    assert.match(await call(), /redirect/i)
    assert.strictEqual(reached, 0)
  })
})
