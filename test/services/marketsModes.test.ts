import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as contracts from "../../adapters/lanes/markets/store/Contracts.ts"
import { open } from "../../adapters/store/engine/sqlite/driver.ts"
import * as settled from "../../adapters/store/record/Settled.ts"
import { ContractStore } from "../../core/lanes/markets/ports.ts"
import { domains } from "../../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../../core/record/scoreboard/SettledStore.ts"
import { clockAt } from "../support/clock.ts"
import { mockOpen, mockRows } from "../support/mockLanes.ts"
import { type Running, start } from "../support/running.ts"
import { markShape } from "../support/shapes.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const today = Date.UTC(2026, 6, 9)
const now = today + 43_200_000

const calls = [
  "/v1/markets/edge",
  "/v1/markets/edge?verbose=true",
  ...domains.map((domain) => `/v1/markets/settled?domain=${domain}`),
  "/v1/markets/settled?domain=weather&verbose=true",
  "/v1/markets/performance",
  "/v1/markets/performance?verbose=true",
] as const

/** Fields that depend on the venue or the strike type. */
const sometimes = /\.(floor_strike|cap_strike|strike_type|fee\w*|earlier_results\w*|source_result|quality_flags)$/

const modes = ["mock", "shadow", "live"] as const

describe("markets in their three modes", { timeout: 120_000 }, () => {
  const servers = new Map<(typeof modes)[number], Running>()
  const folder = makeFolder()
  const fileOf = (mode: string) => join(folder, `${mode}.db`)

  beforeAll(async () => {
    for (const markets of modes) {
      const server = await start({ markets, sqliteFile: fileOf(markets) }, { clock: clockAt(now) })
      servers.set(markets, server)
      if (markets === "mock") continue
      // As if jobs had tracked a venue: real and generated venues differ in content, not in form.
      await server.run(
        Effect.gen(function* () {
          yield* (yield* SettledStore).append(yield* mockRows(now))
          const { replace } = yield* ContractStore
          const all = yield* mockOpen(now)
          for (const domain of domains) {
            const open = all.filter((contract) => contract.domain === domain)
            yield* replace("mock", domain, open, now)
          }
        }).pipe(Effect.provide(Layer.merge(settled.layerStore, contracts.layerStore))),
      )
    }
  })
  afterAll(async () => {
    for (const server of servers.values()) await server.stop()
    removeFolder(folder)
  })

  for (const path of calls) {
    it(`${path} has one shape in all of them, and in shadow the mock's answer`, async () => {
      const bodies = []
      for (const mode of modes) {
        const { status, text, json } = await servers.get(mode)!.get(path)
        assert.strictEqual(status, 200, `${mode}: ${text.slice(0, 300)}`)
        bodies.push(json)
      }
      const [mock, shadow, live] = bodies
      const shapes = bodies.map((body) => [...markShape(body)].filter((key) => !sometimes.test(key)).sort())
      assert.isAbove(shapes[0]!.length, 10)
      assert.deepStrictEqual(shapes[1], shapes[0])
      assert.deepStrictEqual(shapes[2], shapes[0])
      const said = ({ results, rows, overall }: typeof mock) => JSON.stringify([results, rows, overall])
      assert.strictEqual(said(shadow), said(mock))
      assert.isAbove(said(live).length, 100)
    })
  }

  it("say which mode they are in, and shadow compares without a word of it in the answer", async () => {
    for (const mode of modes) {
      const { json } = await servers.get(mode)!.get("/v1/markets/edge")
      assert.strictEqual(json._meta.data_freshness, mode)
    }
    await servers.get("shadow")!.stop()
    const db = open(fileOf("shadow"), { readonly: true })
    const compared = db.prepare("SELECT port, method, agreed, failure FROM shadow_log").all()
    db.close()
    assert.isNotEmpty(compared)
    for (const row of compared) {
      assert.deepInclude(row, { port: "markets/OpenContracts", agreed: 1, failure: null })
    }
  })

  it("in shadow are the mock's where the venues' board is empty, which is noted", async () => {
    const file = fileOf("empty")
    const server = await start({ markets: "shadow", sqliteFile: file }, { clock: clockAt(now) })
    const { status, json } = await server.get("/v1/markets/edge")
    await server.stop()
    assert.strictEqual(status, 200)
    assert.isAbove(json.results.count, 0)
    const db = open(file, { readonly: true })
    const [row] = db.prepare("SELECT method, agreed, difference FROM shadow_log WHERE method = 'open'").all()
    db.close()
    assert.deepStrictEqual(row, { method: "open", agreed: 0, difference: "mock: answers; live: nothing" })
  })
})
