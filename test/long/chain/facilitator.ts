import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { x402Facilitator } from "@x402/core/facilitator"
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types"
import { toFacilitatorEvmSigner } from "@x402/evm"
import { ExactEvmScheme } from "@x402/evm/exact/facilitator"
import { createWalletClient, defineChain, http, publicActions } from "viem"
import type { World } from "./world.ts"

/** An answer of the service: its own, another one, or none. */
export type Answer =
  | "own"
  | "hang"
  | "drop"
  | { readonly status?: number; readonly body: unknown }
  /** Settles, and answers something else. */
  | { readonly after: (answer: Readonly<Record<string, unknown>>) => unknown }

interface Asked {
  readonly paymentPayload: PaymentPayload
  readonly paymentRequirements: PaymentRequirements
}

/** A facilitator as a service, made of the official packages, which can fail and lie. */
export const facilitatorService = async (world: World) => {
  const { account } = await world.rich()
  const chain = defineChain({
    id: world.chainId,
    name: "test",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [world.url] } },
  })
  const client = createWalletClient({ account, chain, transport: http(), pollingInterval: 20 }).extend(publicActions)
  const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never)
  const own = new x402Facilitator().register(`eip155:${world.chainId}`, new ExactEvmScheme(signer))
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", async () => {
      const task = request.url === "/verify" ? "verify" : "settle"
      const { paymentPayload, paymentRequirements }: Asked = JSON.parse(Buffer.concat(chunks).toString())
      told.asked.push({ paymentPayload, paymentRequirements })
      const answer = told[task]
      if (answer === "hang") return
      if (answer === "drop") return response.destroy()
      const found =
        answer === "own" || "after" in answer ? await own[task](paymentPayload, paymentRequirements) : undefined
      const body =
        answer === "own" ? found : "after" in answer ? answer.after(found as never) : (answer.body as unknown)
      const status = typeof answer === "object" && "status" in answer ? (answer.status ?? 200) : 200
      response.writeHead(status, { "content-type": "application/json" })
      response.end(typeof body === "string" ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const told = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    verify: "own" as Answer,
    settle: "own" as Answer,
    asked: [] as Array<Asked>,
    stop: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
  return told
}
