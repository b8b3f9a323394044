import * as SqlClient from "@effect/sql/SqlClient"
import { afterEach, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Running, start } from "../../../support/running.ts"

const settlement = "/v1/weather/settlement?station=KNYC"
const free = "/v1/weather/stations"

let service: Running
afterEach(() => service.stop())

/** Request ids of the charges, in order. */
const journal = () =>
  service.run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        sql<{ id: string; micros: number }>`SELECT id, micros FROM postings WHERE kind = 'charge' ORDER BY id`,
        (rows) => rows.map(({ id, micros }) => [id, micros] as const),
      ),
    ),
  )

describe("the charge of a call", () => {
  it("a live key pays the list price exactly once for every 200", async () => {
    service = await start({}, { balance: 10_000 })
    const ids: Array<string> = []
    for (const n of [1, 2, 3, 4, 5]) {
      const { status, json } = await service.get(settlement)
      assert.deepStrictEqual([status, json._meta.price.charged_micros], [200, 1_000])
      assert.strictEqual(await service.balance(), 10_000 - n * 1_000)
      ids.push(json._meta.request_id)
    }
    assert.deepStrictEqual(
      await journal(),
      [...ids].sort().map((id) => [id, 1_000] as const),
    )
  })

  it("the full shape, a selection and include= cost no more", async () => {
    service = await start({}, { balance: 10_000 })
    for (const query of ["verbose=true", "fields=station.id", "include=_alternatives,_counterfactual,_suggestions"])
      assert.strictEqual((await service.get(`${settlement}&${query}`)).json._meta.price.charged_micros, 1_000)
    assert.strictEqual(await service.balance(), 7_000)
  })

  it("a free endpoint, HEAD and OPTIONS cost nothing", async () => {
    service = await start({}, { balance: 10_000 })
    const statuses = [
      (await service.get(free)).status,
      (await service.get(settlement, undefined, { method: "HEAD" })).status,
      (await service.get(settlement, undefined, { method: "OPTIONS" })).status,
    ]
    assert.deepStrictEqual(statuses, [200, 200, 204])
    assert.deepStrictEqual([await service.balance(), await service.charges()], [10_000, 0])
  })

  it("a test key pays nothing and never sees a 402", async () => {
    service = await start({}, { balance: 0 })
    const { token } = service.account.test
    for (const path of [settlement, free]) {
      const { status, json } = await service.get(path, token)
      assert.deepStrictEqual([status, json._meta.price.charged_micros], [200, 0])
    }
    assert.deepStrictEqual([await service.balance(), await service.charges()], [0, 0])
  })

  it("an empty wallet still gets free endpoints", async () => {
    service = await start({}, { balance: 0 })
    assert.strictEqual((await service.get(free)).status, 200)
    assert.strictEqual((await service.get(settlement)).status, 402)
  })
})

describe("the end of a wallet", () => {
  it.each([
    [999, 0],
    [1_000, 1],
    [1_001, 1],
    [2_999, 2],
  ])("%d micros buy %d calls", async (balance, calls) => {
    service = await start({}, { balance })
    for (let n = 0; n < calls; n++) assert.strictEqual((await service.get(settlement)).status, 200)
    const { status, json } = await service.get(settlement)
    assert.deepStrictEqual([status, json.error.quote.balance_micros], [402, balance - calls * 1_000])
    assert.deepStrictEqual([await service.balance(), await service.charges()], [balance - calls * 1_000, calls])
  })

  it("200 calls at once against money for 50: 50 answers, 150 quotes, nothing left", async () => {
    service = await start({}, { balance: 50_000 })
    const answers = await Promise.all(Array.from({ length: 200 }, () => service.get(settlement)))
    const paid = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 402)
    assert.deepStrictEqual([paid.length, refused.length], [50, 150])
    assert.strictEqual(await service.balance(), 0)
    assert.deepStrictEqual(
      await journal(),
      paid.map(({ json }) => [json._meta.request_id as string, 1_000] as const).sort(),
    )
    for (const { json } of refused) {
      const { balance_micros, shortfall_micros } = json.error.quote
      assert.isAtLeast(balance_micros, 0)
      assert.strictEqual(balance_micros + shortfall_micros, 1_000)
    }
  })
})
