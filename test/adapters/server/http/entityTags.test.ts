import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Gateway } from "../../../../core/gateway/Gateway.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import * as App from "../../../../services/app.ts"
import { clockAt } from "../../../support/clock.ts"
import { type Running, settings, start } from "../../../support/running.ts"
import { makeFolder, removeFolder } from "../../../support/store.ts"

const noon = Date.UTC(2026, 6, 9, 16)
const dayMs = 86_400_000
const clock = clockAt(noon)

let folder: string
let service: Running
beforeAll(async () => {
  folder = makeFolder()
  service = await start({ sqliteFile: `${folder}/store.db` }, { clock })
})
afterAll(async () => {
  await service.stop()
  removeFolder(folder)
})

const high = "/v1/weather/settlement?station=KNYC&fields=settlement.high_f"
const tagOf = async (path: string, init: RequestInit = {}, token?: string) =>
  (await service.get(path, token, init)).headers.get("etag")!
const shown = (path: string) => tagOf(path, { method: "HEAD" })
const asked = (path: string, tags: ReadonlyArray<string>) =>
  service.get(path, undefined, { headers: { "if-none-match": tags.join(", ") } })

describe("paid results cannot be obtained by entity tags", () => {
  it("HEAD shows the tag of GET, for nothing", async () => {
    const before = await service.balance()
    const head = await shown(high)
    assert.strictEqual(await service.balance(), before)
    assert.strictEqual(await tagOf(high), head)
    assert.strictEqual(await service.balance(), before - 1_000)
  })

  it("the tag cannot be made from the results, so none that could be the answer is a free 304", async () => {
    const { text, headers } = await service.get(high)
    const results = JSON.stringify(JSON.parse(text).results)
    const guesses = Array.from({ length: 156 }, (_, at) => JSON.stringify({ settlement: { high_f: at - 30 } }))
    assert.include(guesses, results)
    const tags = guesses.map((guess) => `W/"${createHash("sha256").update(guess).digest("hex").slice(0, 32)}"`)
    assert.notInclude(tags, headers.get("etag"))
    const before = await service.balance()
    for (let at = 0; at < tags.length; at += 12) {
      assert.strictEqual((await asked(high, tags.slice(at, at + 12))).status, 200)
    }
    assert.strictEqual(await service.balance(), before - 13_000)
  })

  it("a tag reveals nothing about another request with the same results", async () => {
    const latest = await service.get("/v1/weather/settlement?station=KNYC")
    const { day } = latest.json.results.settlement
    const named = `/v1/weather/settlement?station=KNYC&day=${day}`
    assert.deepStrictEqual((await service.get(named)).json.results, latest.json.results)
    assert.notStrictEqual(await shown(named), latest.headers.get("etag"))
    assert.strictEqual((await asked(named, [latest.headers.get("etag")!])).status, 200)
  })

  it("nor of the same question on another day, though the one field that is asked for is the same", async () => {
    const [tags, values] = [new Set<string>(), new Set<number>()]
    const days = 40
    for (let n = 0; n < days; n++) {
      clock.set(noon + n * dayMs)
      const { headers, json } = await service.get(high)
      tags.add(headers.get("etag")!)
      values.add(json.results.settlement.high_f)
    }
    assert.isBelow(values.size, days)
    assert.strictEqual(tags.size, days)
  })

  it("an overlong list is ignored: the call is answered and charged", async () => {
    const tag = await tagOf(high)
    const others = Array.from({ length: 16 }, (_, at) => `W/"${String(at).padStart(32, "0")}"`)
    const before = await service.balance()
    assert.strictEqual((await asked(high, [...others.slice(1), tag])).status, 304)
    assert.strictEqual(await service.balance(), before)
    assert.strictEqual((await asked(high, [...others, tag])).status, 200)
    assert.strictEqual(await service.balance(), before - 1_000)
  })

  it("is the same in the next process over the store", async () => {
    const tag = await tagOf(high)
    const config = settings({ sqliteFile: `${folder}/store.db` })
    const serve = Effect.flatMap(Gateway, (gateway) =>
      gateway.serve(
        catalogue.byId.get("weather_settlement")!,
        { _tag: "Json", value: { station: "KNYC", fields: ["settlement.high_f"] } },
        { authorization: `Bearer ${service.account.live.token}`, head: true },
      ),
    )
    const { etag } = await Effect.runPromise(
      Effect.provide(serve, Layer.provide(App.gateway(config), App.store(config))).pipe(Effect.withClock(clock)),
    )
    assert.strictEqual(etag, tag)
  })
})
