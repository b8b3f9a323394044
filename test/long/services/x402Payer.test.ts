import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import { freePort } from "../../support/freePort.ts"
import * as processes from "../../support/processes.ts"
import { scrapeOf } from "../../support/scrape.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"
import { environmentOf } from "../chain/environment.ts"
import { proxy } from "../chain/proxy.ts"
import { type World, world } from "../chain/world.ts"

/*
 * Many payments of one payer at once, over the real server and a chain that mines a block each second: the operator pays
 * the gas of one transaction, and of none that is reverted.
 */

const path = "/v1/weather/settlement?station=KNYC"
const price = 1_000n

const folder = makeFolder()
let on: World
let node: Awaited<ReturnType<typeof proxy>>
let child: processes.Child
let [url, metricsUrl] = ["", ""]
let gasPayer: Awaited<ReturnType<World["rich"]>>

beforeAll(async () => {
  on = await world()
  node = await proxy(on.url)
  gasPayer = await on.rich()
  child = processes.start("services/server.ts", [], {
    DATABASE_URL: `sqlite:${join(folder, "store.db")}`,
    PORT: String(await freePort()),
    METRICS_LISTEN: String(await freePort()),
    LOG_LEVEL: "error",
    ...(await environmentOf(on, {
      rpcUrl: Redacted.make(node.url),
      facilitator: { privateKey: Redacted.make(gasPayer.key) },
    })),
  })
  const lines = await child.linesUntil(3)
  ;[url, metricsUrl] = [0, 2].map((at) => / on (http:\/\/\S+)/.exec(lines[at]!)![1]!) as [string, string]
})

afterAll(async () => {
  child.process.kill("SIGTERM")
  assert.strictEqual(await child.ended, 0)
  node.stop()
  await on.stop()
  removeFolder(folder)
})

const call = async (payment: string): Promise<readonly [status: number, code: string]> => {
  const response = await fetch(url + path, { headers: { "payment-signature": payment } })
  const body = (await response.json()) as { readonly error?: { readonly code: string } }
  return [response.status, body.error?.code ?? "none"]
}

const transactions = () => on.node.getTransactionCount({ address: gasPayer.account.address })

describe("a payer whose money covers one call", () => {
  for (const payments of [5, 40]) {
    it(`sends ${payments} payments at once: one transaction, none reverted, one answer`, async () => {
      const payer = await on.payer(price)
      const signed = await Promise.all(Array.from({ length: payments }, () => on.sign(payer, price)))
      const before = await transactions()
      node.calls.length = 0
      await on.rpc("evm_setIntervalMining", 1)
      const answers = await Promise.all(signed.map(({ header }) => call(header)))
      await on.rpc("evm_setIntervalMining", 0)
      await on.rpc("evm_setAutomine", true)
      const sent = node.calls.filter(({ method }) => method === "eth_sendRawTransaction")
      assert.lengthOf(sent, 1)
      assert.strictEqual((await transactions()) - before, 1)
      assert.strictEqual(await on.balance(payer.address), 0n)
      assert.lengthOf(
        answers.filter(([status]) => status === 200),
        1,
      )
      // Who asks while the first is under way is told so; who asks after it, that the money is gone.
      const refused = answers.filter(([status]) => status !== 200)
      assert.isTrue(
        refused.every(([status, code]) => status === 402 && /^payment_(in_progress|invalid)$/.test(code)),
        JSON.stringify(refused),
      )
      assert.isAbove(refused.filter(([, code]) => code === "payment_in_progress").length, 0)
    })
  }

  it("sends one payment 10 times at once: one answer, and 9 times payment_replayed", async () => {
    const payer = await on.payer(price)
    const { header } = await on.sign(payer, price)
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(header)))
    assert.deepStrictEqual(
      answers.map(([, code]) => code).toSorted(),
      ["none", ...Array.from({ length: 9 }, () => "payment_replayed")].toSorted(),
    )
  })
})

it("the gas is counted, and no transaction was reverted", async () => {
  const { value, series } = scrapeOf(await (await fetch(metricsUrl)).text())
  const outcomes = series.filter(({ name }) => name === "market_signals_payment_transactions_total")
  assert.deepStrictEqual(
    outcomes.map(({ labels, value }) => [labels["outcome"], value]),
    [["paid", 3]],
  )
  const receipts = await Promise.all(
    node.calls
      .filter(({ method }) => method === "eth_getTransactionReceipt")
      .map(({ params: [hash] }) => on.node.getTransactionReceipt({ hash: hash as `0x${string}` })),
  )
  assert.isTrue(receipts.every(({ status }) => status === "success"))
  const [gas, fees] = ["gas", "fees_wei"].map((name) => value(`market_signals_payment_${name}_total`)!)
  assert.isAbove(gas!, 3 * 40_000)
  assert.isBelow(gas!, 3 * 100_000)
  assert.isAbove(fees!, gas!)
  assert.strictEqual(value("market_signals_payment_without_gas_total"), 0)
})
