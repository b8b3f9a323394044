// Proof: starts Python for each case.
import { execFile, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { methods } from "../../../bench/tools/client.ts"
import * as Python from "../../../bench/tools/pythonClient.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { type Running, start } from "../../support/running.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = join(process.cwd(), "adapters/client/python")
const { status } = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"])
if (status !== 0) process.stderr.write("Python 3.11 is not there: the tests of its client are skipped.\n")

it("Python's client has the endpoints of the catalogue, as `npm run client` writes them", () => {
  assert.strictEqual(readFileSync(Python.file, "utf8"), Python.written(methods))
})

describe.skipIf(status !== 0)("the client of Python", { timeout: 120_000 }, () => {
  const place = makeFolder()
  let service: Running
  beforeAll(async () => {
    service = await start()
    // The mock board takes seconds to generate.
    await service.get("/v1/markets/performance", "")
  }, 120_000)
  afterAll(async () => {
    await service.stop()
    removeFolder(place)
  })

  /** Output of a program that finds server and key in its environment. */
  const run = async (program: string, environment: Readonly<Record<string, string>> = {}) => {
    const { stdout } = await promisify(execFile)("python3", ["-W", "error", "-c", program], {
      cwd: place,
      env: {
        ...{ PATH: process.env["PATH"], HOME: place, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" },
        ...{ MARKET_SIGNALS_URL: service.url, MARKET_SIGNALS_KEY: service.account.live.token },
        ...environment,
      },
    })
    return stdout.trim()
  }
  const json = async (program: string, environment?: Readonly<Record<string, string>>) =>
    JSON.parse(await run(`import json\nfrom market_signals import *\n${program}`, environment))

  it("answers its README's first example, to the same answer and charge as over HTTP", async () => {
    const [, example] = /```python\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8"))!
    const before = await service.balance()
    const written = await run(
      example!.replace("http://127.0.0.1:8080", service.url).replace("svk_live_...", service.account.live.token),
    )
    assert.match(written, /^\{.*'\d+': 0\.\d+.*\}\n0\.01 0\.\d+$/s)
    assert.strictEqual(before - (await service.balance()), 10_000)
    const [results, rows] = await json(`client = Client()
settled = client.markets_settled(domain="weather", limit=3)
print(json.dumps([client.weather_settlement(station="KNYC", day="2026-07-08").results, settled.rows]))`)
    const path = "/v1/weather/settlement?station=KNYC&day=2026-07-08"
    assert.deepStrictEqual(results, (await service.get(path)).json.results)
    assert.deepStrictEqual(rows, (await service.get("/v1/markets/settled?domain=weather&limit=3")).json.rows)
  })

  it("quotes, pages, and calls as coroutines", async () => {
    const found = await json(`import asyncio
client = Client()
pages = [len(page.rows) for page in client.pages("weather_settlement_history", station="KNYC", start="2026-06-01", end="2026-06-10", limit=4)]
async def both():
    client = AsyncClient()
    return await asyncio.gather(client.crypto_spot(asset="BTC"), client.wallet())
spot, wallet = asyncio.run(both())
quote = client.dry_run("weather_signal", station="KNYC").results
print(json.dumps([pages, spot.results["asset"], wallet.results["balance_micros"], quote]))`)
    assert.deepStrictEqual(found[0], [4, 4, 2])
    assert.strictEqual(found[1], "BTC")
    assert.strictEqual(found[2], await service.balance())
    assert.include(JSON.stringify(found[3]), "10000")
  })

  it("keeps alerts and webhooks, and finds, with a key of the scope, whose scopes `key` shows", async () => {
    const scopesGiven = ["manage", "markets", "weather"]
    const key = await service.run(
      Effect.flatMap(Accounts, (accounts) =>
        accounts.issueKey({ account: service.account.id, environment: "live", scopes: scopesGiven }),
      ),
    )
    const [scopes, listed, deleted, left, hit] = await json(
      `client = Client()
alert = client.alerts_create(call="/v1/markets/edge?domain=weather", threshold=0.2).results
hook = client.webhooks_create(url="https://hooks.example.com/x", events=["alert.fired"]).results
listed = [one["id"] for one in client.alerts_list().results["alerts"]] == [alert["id"]]
deleted = [client.alerts_delete(alert=alert["id"]).results["deleted"], client.webhooks_delete(webhook=hook["id"]).results["deleted"]]
left = [client.alerts_list().results["alerts"], client.webhooks_list().results["webhooks"]]
hit = client.find(q="NYC high tomorrow").results["hits"][0]["call"]["tool"]
print(json.dumps([client.key().results["scopes"], listed, deleted, left, hit]))`,
      { MARKET_SIGNALS_KEY: Redacted.value(key.plaintext) },
    )
    assert.deepStrictEqual([scopes, listed, hit], [scopesGiven, true, "weather_signal"])
    assert.deepStrictEqual(
      [deleted, left],
      [
        [true, true],
        [[], []],
      ],
    )
    const all = (await service.get("/v1/key")).json.results.scopes
    assert.deepStrictEqual([all.includes("weather"), all.includes("manage")], [true, false])
  })

  it("raises errors that say what to change", async () => {
    const raised = await json(`found = []
for call in [
    lambda: Client().weather_signal(station="KXXX"),
    lambda: Client(key="svk_live_unknown").weather_signal(station="KNYC"),
    lambda: Client("http://127.0.0.1:9", attempts=1).crypto_spot(),
    lambda: Client("localhost:8080"),
]:
    try:
        call()
    except (ServiceError, Unreachable, ValueError) as error:
        found.append([type(error).__name__, getattr(error, "code", None), str(error)])
print(json.dumps(found))`)
    assert.deepStrictEqual(
      raised.map(([type, code]: [string, string]) => [type, code]),
      [
        ["ServiceError", "invalid_parameter"],
        ["ServiceError", "invalid_api_key_format"],
        ["Unreachable", null],
        ["ValueError", null],
      ],
    )
    assert.match(raised[0][2], /KNYC/)
    assert.match(raised[2][2], /Cannot reach http:\/\/127\.0\.0\.1:9/)
  })

  it("is charged once where answers get lost on their way", async () => {
    let lost = 0
    const lossy = createServer(async (request, response) => {
      const { authorization, "idempotency-key": key } = request.headers
      const answer = await fetch(service.url + request.url, {
        headers: { authorization: authorization!, "idempotency-key": key as string },
      })
      const text = await answer.text()
      if (lost++ < 2) return void request.socket.destroy()
      response.writeHead(answer.status, { "content-type": "application/json" }).end(text)
    })
    await new Promise<void>((resolve) => lossy.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(lossy.address() as AddressInfo).port}`
    const before = await service.balance()
    const charged = await json(`print(Client().weather_signal(station="KMIA").charged_usd)`, {
      MARKET_SIGNALS_URL: url,
    })
    lossy.close()
    // The answer that arrives is that of the first call, which paid.
    assert.deepStrictEqual([lost, charged], [3, 0])
    assert.strictEqual(before - (await service.balance()), 10_000)
  })

  it("is a wheel with the same bytes each time, that pip installs without a network", async () => {
    const built = (to: string) => promisify(execFile)("python3", [join(folder, "build.py"), join(place, to)])
    const [first, second] = [await built("a"), await built("b")].map(({ stdout }) => readFileSync(stdout.trim()))
    assert.isTrue(first!.equals(second!))
  })

  it("comes with a notebook whose cells run", async () => {
    const { cells } = JSON.parse(readFileSync(join(folder, "research.ipynb"), "utf8")) as {
      readonly cells: ReadonlyArray<{ readonly cell_type: string; readonly source: ReadonlyArray<string> }>
    }
    const code = cells.flatMap(({ cell_type, source }) => (cell_type === "code" ? [source.join("")] : []))
    const printed = await run(code.join("\n"))
    const [, model] = /Brier score: model (0\.\d+)/.exec(printed)!
    const { domains } = (await service.get("/v1/markets/performance", "")).json as {
      readonly domains: Record<string, { readonly markets_scored: number; readonly brier_model?: number }>
    }
    const scored = Object.values(domains).filter(({ brier_model }) => brier_model !== undefined)
    const count = scored.reduce((sum, { markets_scored }) => sum + markets_scored, 0)
    const brier = scored.reduce((sum, one) => sum + one.markets_scored * one.brier_model!, 0) / count
    assert.closeTo(Number(model), brier, 0.00005 + 1e-9)
    assert.match(printed, /Brier score: mine 0\.\d+; mine - market in \[[+-]/)
  })
})
