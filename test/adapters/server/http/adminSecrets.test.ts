import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { freePort } from "../../../support/freePort.ts"
import * as processes from "../../../support/processes.ts"
import { makeFolder, removeFolder } from "../../../support/store.ts"
import { send, token } from "./adminClient.ts"

describe("a server with canary secrets", () => {
  const folder = makeFolder()
  afterAll(() => removeFolder(folder))

  it("leaks none of them to the store, the log, errors or exports", { timeout: 400_000 }, async () => {
    const file = join(folder, "store.db")
    const child = processes.start("services/server.ts", [], {
      DATABASE_URL: `sqlite:${file}`,
      PORT: String(await freePort()),
      ADMIN_TOKEN: token,
      ADMIN_LISTEN: String(await freePort()),
    })
    try {
      const lines = await child.linesUntil(3)
      const [url, adminUrl] = [0, 2].map((line) => /http:\/\/[\d.]+:\d+/.exec(lines[line]!)![0])
      const operate = (method: string, path: string, body?: unknown) => send(adminUrl, method, path, body)
      await operate("POST", "accounts", { name: "one" })
      await operate("POST", "accounts/one/credits", { micros: 1_000_000 })
      await operate("POST", "accounts/one/agents", { name: "bot" })
      const keys: Array<{ readonly id: string; readonly key: string }> = []
      for (let n = 0; n < 10; n++) {
        const environment = n % 2 === 0 ? "live" : "test"
        keys.push((await operate("POST", "accounts/one/keys", { environment, tier: "pro", agent: "bot" })).json)
      }
      keys.push((await operate("POST", `keys/${keys[0]!.id}/rotate`, {})).json)
      const bodies: Array<string> = []
      for (const { key } of keys) {
        for (const path of [
          "/v1/weather/settlement?station=KNYC",
          "/v1/weather/settlement?station=XXXX",
          "/v1/nowhere",
        ]) {
          for (const init of [{}, { headers: { "idempotency-key": crypto.randomUUID() } }]) {
            const headers = { authorization: `Bearer ${key}`, ...init.headers }
            bodies.push(await (await fetch(url + path, { headers })).text())
          }
        }
        // A mistyped key, a key as a parameter, and one under another scheme.
        for (const authorization of [`Bearer ${key}x`, `Bearer ${key.slice(0, -1)}`, `Token ${key}`]) {
          bodies.push(await (await fetch(`${url}/v1/weather/stations`, { headers: { authorization } })).text())
        }
        bodies.push((await operate("POST", `keys/${key}/revoke`)).text)
      }
      for (const wrong of [`${token}x`, token.toUpperCase()]) {
        bodies.push((await send(adminUrl, "GET", "accounts", undefined, { authorization: `Bearer ${wrong}` })).text)
      }
      const exported = [
        (await operate("GET", "agents/bot/audit?limit=1000")).text,
        (await operate("GET", "accounts/one/keys")).text,
        (await operate("GET", "openapi.json")).text,
      ]
      const stored = () =>
        Buffer.concat([file, `${file}-wal`, `${file}-shm`].filter(existsSync).map((part) => readFileSync(part)))
      const open = stored()
      child.process.kill("SIGTERM")
      await child.ended
      const everywhere = {
        store: Buffer.concat([open, stored()]).toString("latin1"),
        log: child.lines.join("\n") + child.stderr(),
        bodies: bodies.join("\n"),
        exported: exported.join("\n"),
      }
      assert.include(everywhere.store, keys[0]!.id)
      for (const [place, text] of Object.entries(everywhere)) {
        for (const secret of [token, ...keys.map(({ key }) => key.slice(9, -6))]) {
          assert.isFalse(text.includes(secret), `a secret is in the ${place}`)
        }
      }
    } finally {
      child.process.kill("SIGKILL")
    }
  })
})
