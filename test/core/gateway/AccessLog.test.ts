import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { catalogue } from "../../../core/lanes/all.ts"
import { send, token } from "../../adapters/server/http/adminClient.ts"
import { freePort } from "../../support/freePort.ts"
import * as processes from "../../support/processes.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()

/** The program with ACCESS_LOG as given; ends with the lines of calls in its log. */
const logged = async (
  environment: Readonly<Record<string, string>>,
  work: (url: string, key: string) => Promise<void>,
): Promise<{ readonly calls: ReadonlyArray<Readonly<Record<string, unknown>>>; readonly text: string }> => {
  const child = processes.start("services/server.ts", [], {
    DATABASE_URL: `sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`,
    PORT: String(await freePort()),
    ADMIN_TOKEN: token,
    ADMIN_LISTEN: String(await freePort()),
    ...environment,
  })
  const lines = await child.linesUntil(3)
  const [url, adminUrl] = [0, 2].map((at) => / on (http:\/\/\S+)/.exec(lines[at]!)![1]!) as [string, string]
  await send(adminUrl, "POST", "accounts", { name: "canary-account" })
  await send(adminUrl, "POST", "accounts/canary-account/credits", { micros: 1_000_000 })
  const { json } = await send(adminUrl, "POST", "accounts/canary-account/keys", { environment: "live", tier: "pro" })
  await work(url, json.key)
  child.process.kill("SIGTERM")
  assert.strictEqual(await child.ended, 0)
  const all = child
    .stderr()
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
  return { calls: all.filter(({ message }) => message === "Call"), text: child.stderr() }
}

afterAll(() => removeFolder(folder))

describe("with ACCESS_LOG=yes", () => {
  const path = "/v1/weather/settlement"
  const { endpoint } = catalogue.byPath.get(path)!
  let key = ""
  const ids: Array<string> = []
  let found: Awaited<ReturnType<typeof logged>>

  beforeAll(async () => {
    found = await logged({ ACCESS_LOG: "yes" }, async (url, own) => {
      key = own
      const authorization = `Bearer ${own}`
      const ask = async (target: string, init: RequestInit = {}) => {
        const response = await fetch(url + target, { ...init, headers: { authorization, ...init.headers } })
        await response.arrayBuffer()
        ids.push(response.headers.get("x-request-id")!)
      }
      await ask(`${path}?station=KNYC`)
      await ask(`${path}?station=KNYC`, { method: "HEAD" })
      // Secrets in every place that a client can reach.
      await ask(`${path}?station=${own}&token=${token}`)
      await ask(`${path}?station=KNYC`, { headers: { authorization: `Bearer ${own}x` } })
      await ask(`/v1/${own}`)
      await ask(`${path}?station=KNYC`, { headers: { "x-request-id": `trace ${own}`, cookie: token, referer: own } })
      await ask(`${path}?station=KNYC`, { headers: { "idempotency-key": own, "user-agent": own } })
      await ask("/v1/account/plan", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ secret: own }),
      })
    })
  })

  it("every call has one line with what names it, its route and its charge", () => {
    const [paid, head, refused, wrong, nowhere] = found.calls
    assert.deepStrictEqual(
      found.calls.map(({ request_id: id }) => id),
      ids,
    )
    const { at, ms, key_id: keyId, account_id: account, request_id: id, ...rest } = paid!
    assert.deepStrictEqual(rest, {
      level: "info",
      message: "Call",
      endpoint: endpoint.id,
      method: "GET",
      route: path,
      status: 200,
      micros: 1_000,
    })
    assert.isNotNaN(Date.parse(String(at)))
    assert.isAtLeast(Number(ms), 0)
    assert.match(`${keyId} ${account} ${id}`, /^key_\w+ acct_\w+ req_\w+$/)
    assert.deepInclude(head, { method: "HEAD", status: 200, micros: 0 })
    assert.deepInclude(refused, { status: 400, code: "invalid_parameter", micros: 0, route: path, key_id: keyId })
    assert.deepInclude(wrong, { status: 401, route: path })
    assert.notProperty(wrong, "key_id")
    assert.deepInclude(nowhere, { status: 404, code: "not_found" })
    assert.notProperty(nowhere, "route")
  })

  it("no line has a key, a token or a value of a parameter, wherever the client put it", () => {
    assert.isAbove(found.calls.length, 7)
    for (const secret of [key, key.slice(9), token, "KNYC", "canary"]) assert.notInclude(found.text, secret)
  })
})

it("without ACCESS_LOG a call has no line", async () => {
  const { calls } = await logged({}, async (url, key) => {
    await fetch(`${url}/v1/weather/stations`, { headers: { authorization: `Bearer ${key}` } })
  })
  assert.deepStrictEqual(calls, [])
})
