import { relay } from "../../test/support/socketPairs.ts"

/** A node behind the balancer. */
export interface Upstream {
  readonly url: string
}

export interface Balancer {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Pause between two questions for readiness, milliseconds. */
const checkMs = 200

const isReady = async ({ url }: Upstream): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/**
 * A load balancer of TCP connections, as a proxy before the nodes would be: each goes to the next node that said it is
 * ready. A caller whose node dies loses the connection and dials again.
 */
export const balance = async (upstreams: ReadonlyArray<Upstream>, port: number): Promise<Balancer> => {
  let ready = upstreams
  let turn = 0
  let isOpen = true
  const check = async (): Promise<void> => {
    while (isOpen) {
      const all = await Promise.all(upstreams.map(isReady))
      ready = upstreams.filter((_, at) => all[at])
      await new Promise((resolve) => setTimeout(resolve, checkMs))
    }
  }
  const server = await relay((client, pair) => {
    const target = ready[turn++ % ready.length]
    if (target === undefined) return void client.destroy()
    const { upstream } = pair(new URL(target.url))
    client.pipe(upstream)
    upstream.pipe(client)
  }, port)
  const checks = check()
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      isOpen = false
      await server.close()
      await checks
    },
  }
}
