import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** What becomes of a call of the node: it passes, and its answer is lost; or another answer is given, or none. */
export type Fate = "pass" | "lose" | "drop" | "hang" | { readonly error: string } | { readonly result: unknown }

export interface Call {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** A node between an adapter and a chain, which can fail at every call. */
export const proxy = async (to: string) => {
  const held = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", async () => {
      const body = Buffer.concat(chunks).toString()
      const call: Call & { readonly id: number } = JSON.parse(body)
      told.calls.push(call)
      const answer = (value: unknown) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value))
      const fate = told.fate(call)
      if (fate === "hang") await new Promise<void>((resume) => held.add(resume))
      if (fate === "drop") return response.destroy()
      if (typeof fate === "object" && "error" in fate) {
        return answer({ jsonrpc: "2.0", id: call.id, error: { code: -32_000, message: fate.error } })
      }
      if (typeof fate === "object") return answer({ jsonrpc: "2.0", id: call.id, result: fate.result })
      const found = await fetch(to, { method: "POST", headers: { "content-type": "application/json" }, body })
      const text = await found.text()
      if (fate === "lose") return response.destroy()
      response.writeHead(200, { "content-type": "application/json" }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const told = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fate: (_: Call): Fate => "pass",
    calls: [] as Array<Call>,
    /** Lets the calls that hang go on. */
    resume: (): void => {
      for (const each of held) each()
      held.clear()
    },
    stop: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
  return told
}
