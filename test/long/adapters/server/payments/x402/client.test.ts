import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ExactEvmScheme } from "@x402/evm/exact/client"
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch"
import * as Effect from "effect/Effect"
import { MicroUsd } from "../../../../../../core/account/Money.ts"
import { catalogue } from "../../../../../../core/lanes/all.ts"
import type { CallPayments } from "../../../../../../core/payment/CallPayment.ts"
import { orderOf, payments } from "../../../../chain/paying.ts"
import { type World, world } from "../../../../chain/world.ts"

const amounts = [2_500, 1_000_000].map((micros) => MicroUsd(micros))

/** The least that a server needs: it asks for a payment, takes it and answers. */
const sold = catalogue.get("weather_settlement")

const serverOf = (adapter: CallPayments) =>
  createServer(async (request, response) => {
    const header = request.headers["payment-signature"]
    const sell = Effect.gen(function* () {
      const offer = yield* adapter.read(String(header), amounts)
      const { receipt } = yield* offer.take(orderOf(offer.micros))
      return { status: 200, headers: { "payment-response": receipt } }
    })
    const resource = `http://${request.headers.host}${request.url}`
    const ask = (reason: string) => ({
      status: 402,
      headers: { "payment-required": adapter.required(resource, amounts.map(adapter.accept), reason, sold) },
    })
    const found = await Effect.runPromise(
      header === undefined
        ? Effect.succeed(ask("Pay for the call."))
        : Effect.catchAll(sell, ({ message }) => Effect.succeed(ask(message))),
    )
    response.writeHead(found.status, found.headers as Record<string, string>).end("{}")
  })

let on: World
let server: ReturnType<typeof serverOf>
let url: string

beforeAll(async () => {
  on = await world()
  server = serverOf(await payments(on))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/signals?ticker=XNAS:AAPL`
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await on.stop()
})

/** The official client with a wallet of its own. */
const clientOf = async (units: bigint) => {
  const account = await on.payer(units)
  // Without that it pays with tokens that it knows alone, and at most a dollar at once.
  const ours = { network: `eip155:${on.chainId}`, asset: on.token } as const
  const client = new x402Client()
    .register("eip155:*", new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets: [ours] })
  return { account, pay: wrapFetchWithPayment(fetch, client) }
}

describe("the official client", () => {
  it("pays its way from a 402 to an answer, to the unit, as often as it calls", async () => {
    const { account, pay } = await clientOf(6_000n)
    for (const left of [3_500n, 1_000n]) {
      const before = await on.balance(on.payTo)
      const answer = await pay(url)
      assert.strictEqual(answer.status, 200)
      const { success, payer, transaction, network } = decodePaymentResponseHeader(
        answer.headers.get("payment-response")!,
      )
      assert.deepStrictEqual([success, payer, network], [true, account.address.toLowerCase(), "eip155:31337"])
      assert.strictEqual(
        (await on.node.getTransactionReceipt({ hash: transaction as `0x${string}` })).status,
        "success",
      )
      assert.strictEqual(await on.balance(account.address), left)
      assert.strictEqual((await on.balance(on.payTo)) - before, 2_500n)
    }
    const refused = await pay(url)
    assert.deepStrictEqual([refused.status, await on.balance(account.address)], [402, 1_000n])
  })
})
