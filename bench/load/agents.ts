// The keys and the calls of agents as they are in life, for a soak.
import { randomUUID } from "node:crypto"
import { Agent, type IncomingHttpHeaders, request } from "node:http"
import * as Effect from "effect/Effect"
import { exampleTarget } from "../../adapters/describe/operation.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import type { KeyRequest } from "../../core/account/KeyRequest.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { xoshiro128 } from "../../core/math/xoshiro128.ts"
import { ample, type Environment, funded, inStore, issue } from "./servers.ts"

/** An account with keys of every kind, in a new store. */
export const makeKeys = (database: Environment) =>
  inStore(
    database,
    Effect.gen(function* () {
      const [accounts, agents] = [yield* Accounts, yield* Agents]
      const { id: account } = yield* funded("agents", 900_000_000_000)
      const { id: poor } = yield* accounts.create("poor")
      const spender = yield* agents.create(account, "spender", {})
      const idle = yield* agents.create(account, "paused", {})
      const issued = (more: Partial<KeyRequest> = {}) => issue({ account, ...ample, ...more })
      const keys = {
        live: yield* issued(),
        live2: yield* issued(),
        liveAgent: yield* issued({ agent: spender.id }),
        paused: yield* issued({ agent: idle.id }),
        revoked: yield* issued(),
        slow: yield* issued({ environment: "test", rpm: 1 }),
        poor: yield* issued({ account: poor }),
      }
      yield* agents.pause(idle.id)
      yield* accounts.revokeKey(keys.revoked.keyId)
      return { account, keys }
    }),
  )

type Keys = Awaited<ReturnType<typeof makeKeys>>["keys"]

const draws = (seed: number) => {
  const { integer } = xoshiro128(seed)
  const pick = <A>(all: ReadonlyArray<A>): A => all[integer(all.length)]!
  const weighted = <A>(all: ReadonlyArray<readonly [weight: number, value: A]>): A =>
    pick(all.flatMap(([weight, value]) => Array.from({ length: weight }, () => value)))
  return { integer, pick, weighted, chance: (p: number) => integer(1_000) < p * 1_000 }
}

/** One call of the mix. */
interface Call {
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly from?: string
  /** Expected statuses. */
  readonly expected: ReadonlyArray<number>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const keyed = catalogue.entries.flatMap(({ endpoint }) =>
  endpoint.auth === "key" && Endpoint.methodOf(endpoint) === "GET" ? [endpoint] : [],
)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The calls of agents in typical shares, without admin calls and attacks. */
export const callers = (url: string, keys: Keys) => {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 4_000 })
  const draw = draws(14)
  /** One entity tag per endpoint. */
  const tags = new Map<string, string>()
  /** An Idempotency-Key with its path. */
  let used: readonly [key: string, path: string] | undefined
  let leaf = 0
  let calls = 0

  const get = (
    kind: string,
    path: string,
    token: string,
    expected = [200],
    more: Record<string, string> = {},
  ): Call => ({
    ...{ kind, method: "GET", path, expected },
    headers: { ...bearer(token), ...more },
  })

  const signal = (): string =>
    `/v1/crypto/signal?asset=${draw.pick(["BTC", "ETH"])}&horizon_minutes=${5 + draw.integer(1_400)}`

  /** The second of two calls with one key may arrive during the first, or before it. */
  const either = [200, 409]
  const once = (): Call => {
    if (used !== undefined && draw.chance(0.5)) {
      const [key, path] = used
      used = undefined
      return get("replayed", path, keys.live.key, either, { "idempotency-key": key })
    }
    used = [randomUUID(), exampleTarget(draw.pick(keyed))]
    return get("idempotent", used[1], keys.live.key, either, { "idempotency-key": used[0] })
  }

  const unchanged = (): Call => {
    const endpoint = draw.pick(keyed)
    const tag = tags.get(endpoint.id)
    return get(
      "known",
      exampleTarget(endpoint),
      keys.live.key,
      [200, 304],
      tag === undefined ? {} : { "if-none-match": tag },
    )
  }

  const refused = (): Call =>
    draw.pick<Call>([
      get("refused", "/v1/crypto/spot?asset=DOGE", keys.live.key, [400]),
      get("refused", "/v1/crypto/spot", keys.revoked.key, [401]),
      get("refused", "/v1/weather/settlement?station=KNYC", keys.poor.key, [402]),
      get("refused", signal(), keys.poor.key, [402]),
      get("refused", "/v1/crypto/spot", keys.paused.key, [403]),
      get("refused", "/v1/nothing", keys.live.key, [404]),
      get("refused", "/v1/crypto/spot", keys.slow.key, [200, 429]),
    ])

  const tool = (): Call => {
    const endpoint = draw.pick(keyed.filter(({ status }) => status !== "development"))
    const params = { name: endpoint.id, arguments: endpoint.example as object }
    return {
      ...{ kind: "tool", method: "POST", path: "/mcp", expected: [200] },
      headers: {
        ...bearer(keys.live2.key),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: calls, method: "tools/call", params }),
    }
  }

  const proof = (): Call => ({
    kind: "proof",
    method: "GET",
    path: draw.pick([
      "/v1/proof/checkpoint",
      `/v1/proof/leaves?from=${Math.max(0, leaf - 50)}`,
      `/v1/proof/inclusion?leaf=${draw.integer(Math.max(1, leaf))}`,
      "/v1/proof/consistency?from=1",
    ]),
    headers: {},
    // Before the first checkpoint and the first signal there is no proof.
    expected: [200, 304, 400, 404],
    from: `127.0.2.${1 + draw.integer(200)}`,
  })

  const next = (): Call => {
    calls++
    return draw.weighted<() => Call>([
      [42, () => get("paid", exampleTarget(draw.pick(keyed)), keys.live.key)],
      [18, () => get("signal", signal(), draw.pick([keys.live.key, keys.liveAgent.key]))],
      [10, tool],
      [8, once],
      [4, () => ({ ...get("head", exampleTarget(draw.pick(keyed)), keys.live.key), method: "HEAD" })],
      [4, unchanged],
      [8, refused],
      [4, proof],
      [2, () => get("key", "/v1/key", keys.live.key)],
    ])()
  }

  const ask = ({ method, path, headers, body, from }: Call): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        {
          ...{ hostname, port, agent, method, path },
          headers: { ...headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) },
          ...(from === undefined ? {} : { localAddress: from }),
        },
        (response) => {
          let text = ""
          response.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk
          })
          response
            .once("error", reject)
            .once("end", () => resolve({ status: response.statusCode!, headers: response.headers, body: text }))
        },
      )
      outgoing.once("error", reject).end(body)
    })

  /** The charge that an answer states. Not parsed as JSON, which would dominate the harness's time. */
  const charge = ({ status, body }: Answer): number => {
    if (status !== 200) return 0
    // A tool's answer has its envelope twice: as text and as structured content.
    return Number([...body.matchAll(/\\?"charged_micros\\?":(\d+)/g)].at(-1)?.[1] ?? 0)
  }

  return {
    /** Makes the next call; the error of its answer and its charge. */
    one: async (): Promise<{ readonly kind: string; readonly problem?: string; readonly micros: number }> => {
      const call = next()
      const { kind, expected, path } = call
      try {
        const answer = await ask(call)
        const { status, headers, body } = answer
        if (kind === "paid" && headers.etag !== undefined) {
          const endpoint = keyed.find((each) => path.startsWith(each.path))
          if (endpoint !== undefined) tags.set(endpoint.id, headers.etag)
        }
        if (kind === "signal") leaf++
        if (!expected.includes(status))
          return { kind, micros: 0, problem: `${kind} ${path}: ${status} ${body.slice(0, 160)}` }
        if (kind === "tool" && body.includes('"isError":true')) {
          return { kind, micros: 0, problem: `${kind}: ${body.slice(0, 300)}` }
        }
        return { kind, micros: kind === "proof" || kind === "key" ? 0 : charge(answer) }
      } catch (error) {
        return { kind, micros: 0, problem: `${kind} ${path}: ${String(error)}` }
      }
    },
    stop: () => agent.destroy(),
  }
}
