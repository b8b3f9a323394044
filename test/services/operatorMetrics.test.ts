import { spawnSync } from "node:child_process"
import { statfsSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { send, token } from "../adapters/server/http/adminClient.ts"
import { freePort } from "../support/freePort.ts"
import * as processes from "../support/processes.ts"
import { hang, type Receiver, receiver } from "../support/receiver.ts"
import { scrapeOf } from "../support/scrape.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

/** A node of a chain that knows balances alone, in wei. */
const chain = async () => {
  const seen: Array<string> = []
  const server: Server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    const { id, method } = JSON.parse(body)
    seen.push(method)
    const isKnown = method === "eth_getBalance"
    response.writeHead(isKnown ? 200 : 500, { "content-type": "application/json" })
    response.end(
      isKnown ? JSON.stringify({ jsonrpc: "2.0", id, result: `0x${(250_000_000_000_000_000n).toString(16)}` }) : "{}",
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reads: () => seen.filter((method) => method === "eth_getBalance").length,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The program over a store in a folder; `read` waits for the figures of a scrape. */
const serving = async (folder: string, environment: Readonly<Record<string, string>>) => {
  const store = `sqlite:${join(folder, "store.db")}`
  const child = processes.start("services/server.ts", [], {
    DATABASE_URL: store,
    PORT: String(await freePort()),
    ADMIN_TOKEN: token,
    ADMIN_LISTEN: String(await freePort()),
    METRICS_LISTEN: String(await freePort()),
    LOG_LEVEL: "none",
    ...environment,
  })
  const lines = await child.linesUntil(4)
  const [url, adminUrl, metricsUrl] = [0, 2, 3].map((at) => / on (http:\/\/\S+)/.exec(lines[at]!)![1]!) as [
    string,
    string,
    string,
  ]
  const scrape = async () => scrapeOf(await (await fetch(metricsUrl)).text())
  const until = async (holds: (found: Awaited<ReturnType<typeof scrape>>) => boolean) => {
    for (;;) {
      const found = await scrape()
      if (holds(found)) return found
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  return {
    store,
    url,
    adminUrl,
    until,
    ready: async () => (await fetch(`${url}/readyz`)).json(),
    stop: async () => {
      child.process.kill("SIGTERM")
      assert.strictEqual(await child.ended, 0)
    },
  }
}

describe("what an operator is woken for", { timeout: 120_000 }, () => {
  const folder = makeFolder()
  let node: Awaited<ReturnType<typeof chain>>
  let archive: Receiver
  let server: Awaited<ReturnType<typeof serving>>

  beforeAll(async () => {
    node = await chain()
    archive = await receiver(hang)
    server = await serving(folder, {
      // More than any disk has.
      DISK_RESERVE_MB: "900000000",
      DATA_FRESHNESS_WEATHER: "live",
      IEM_URL: archive.url,
      NWS_URL: archive.url,
      X402_PAY_TO: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      X402_NETWORK: "eip155:84532",
      X402_RPC_URL: node.url,
      X402_PRIVATE_KEY: `0x${"1".repeat(64)}`,
    })
  })
  afterAll(async () => {
    await server.stop()
    await archive.stop()
    await node.stop()
    removeFolder(folder)
  })

  it("the disk: its free bytes, the guard, and a degraded state with its reason", async () => {
    const { value } = await server.until(({ value }) => value("market_signals_disk_guard") !== undefined)
    assert.strictEqual(value("market_signals_disk_guard"), 1)
    const { bsize, blocks } = statfsSync(folder)
    assert.isAtMost(value("market_signals_disk_free_bytes")!, bsize * blocks)
    assert.isAbove(value("market_signals_disk_free_bytes")!, 0)
    const { status, reasons } = await server.ready()
    assert.strictEqual(status, "degraded")
    assert.strictEqual(reasons[0].reason, "disk")
    assert.strictEqual(value("market_signals_reasons", { reason: "disk" }), 1)
    assert.strictEqual(value("market_signals_reasons", { reason: "clock" }), 0)
  })

  it("the gas: read by itself and not by a scrape", async () => {
    const { value } = await server.until(({ value }) => value("market_signals_x402_gas_balance") !== undefined)
    assert.strictEqual(value("market_signals_x402_gas_balance"), 0.25)
    assert.strictEqual(value("market_signals_x402_gas_read_failures_total"), 0)
    const reads = node.reads()
    for (let count = 0; count < 20; count++) await server.until(() => true)
    assert.isAtMost(node.reads(), reads + 1)
  })

  it("a source that says nothing: paused after one call, with a reason", async () => {
    await send(server.adminUrl, "POST", "accounts", { name: "one" })
    await send(server.adminUrl, "POST", "accounts/one/credits", { micros: 1_000_000 })
    const { json } = await send(server.adminUrl, "POST", "accounts/one/keys", { environment: "live", tier: "pro" })
    const answer = await fetch(`${server.url}/v1/weather/settlement?station=KNYC&day=2003-07-08`, {
      headers: { authorization: `Bearer ${json.key}` },
    })
    assert.strictEqual(answer.status, 503)
    const { value } = await server.until(
      ({ value }) => value("market_signals_upstream_paused", { upstream: "iem" }) === 1,
    )
    assert.isAtLeast(value("market_signals_reasons", { reason: "source" })!, 1)
    const { sources, reasons } = await server.ready()
    const iem = sources.find(({ source }: { readonly source: string }) => source === "iem")
    assert.deepInclude(iem, { title: "The Iowa archive", answers: false })
    const reason = reasons.find(({ name }: { readonly name?: string }) => name === "iem")
    assert.match(reason.detail, /^The Iowa archive has not answered as asked since 2\d{3}-/)
  })

  it("the age of the backup and the orders that wait", async () => {
    const before = await server.until(({ value }) => value("market_signals_orders_unsettled", { state: "open" }) === 0)
    assert.isUndefined(before.value("market_signals_backup_timestamp_seconds"))
    assert.strictEqual(before.value("market_signals_orders_unsettled", { state: "mismatched" }), 0)
    const begun = Date.now() / 1_000
    const verb = processes.start("services/cli.ts", ["backup", "--out", join(folder, "copy")], {
      DATABASE_URL: server.store,
    })
    assert.strictEqual(await verb.ended, 0, verb.stderr())
    const { value } = await server.until(({ value }) => value("market_signals_backup_timestamp_seconds") !== undefined)
    assert.isAtLeast(value("market_signals_backup_timestamp_seconds")!, Math.floor(begun))
    assert.isAtMost(value("market_signals_backup_timestamp_seconds")!, Date.now() / 1_000)
  })
})

const mounted = (): string | undefined => {
  const folder = makeFolder()
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=12m", "tmpfs", folder]).status === 0) return folder
  removeFolder(folder)
  return undefined
}

const small = mounted()

describe.skipIf(small === undefined)(
  `a small disk that is full${small === undefined ? " (skipped: this user may not mount one)" : ""}`,
  { timeout: 60_000 },
  () => {
    let server: Awaited<ReturnType<typeof serving>>
    beforeAll(async () => {
      server = await serving(small!, { DISK_RESERVE_MB: "1" })
    })
    afterAll(async () => {
      await server.stop()
      spawnSync("umount", [small!])
      removeFolder(small!)
    })

    it("is degraded with its reason before and when no byte is left, and ready when there is room", async () => {
      const guarded = (is: number) => server.until(({ value }) => value("market_signals_disk_guard") === is)
      await guarded(0)
      const ballast = join(small!, "ballast")
      const free = () => {
        const { bavail, bsize } = statfsSync(small!)
        return bavail * bsize
      }
      const fill = (leave: number) => writeFileSync(ballast, Buffer.alloc(Math.max(0, free() - leave)), { flag: "a" })
      fill(500_000)
      await guarded(1)
      assert.deepInclude((await server.ready()).reasons, {
        reason: "disk",
        detail: "The store's disk is nearly full: free calls are counted and not stored. Make room.",
      })
      fill(0)
      assert.strictEqual(free(), 0)
      const full = await server.until(({ value }) => value("market_signals_disk_free_bytes") === 0)
      assert.strictEqual(full.value("market_signals_disk_guard"), 1)
      const { status, reasons } = await server.ready()
      assert.include(["degraded", "unavailable"], status)
      assert.include(
        reasons.map(({ reason }: { readonly reason: string }) => reason),
        "disk",
      )
      writeFileSync(ballast, "")
      await guarded(0)
      assert.strictEqual((await server.ready()).status, "ready")
    })
  },
)
