import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll } from "vitest"
import * as contracts from "../../adapters/lanes/markets/store/Contracts.ts"
import * as signer from "../../adapters/runtime/node/signer.ts"
import { isLoopback } from "../../adapters/server/http/clientAddress.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import { ContractStore } from "../../core/lanes/markets/ports.ts"
import { signCheckpoint } from "../../core/record/log/signCheckpoint.ts"
import { clockAt } from "../support/clock.ts"
import { contract, noon } from "../support/contracts.ts"
import { fillTapes } from "../support/liveTape.ts"
import { origin } from "../support/record.ts"
import * as running from "../support/running.ts"

/*
 * Who reads the text of a sealed leaf: a live key of the buyer's account whose scopes include the leaf's lane, an agent's key
 * only what that agent bought or wrote. Every combination is asked over HTTP.
 */

const { ticker, closeTime: close } = contract()
const clock = clockAt(noon + 30_000)

const environments = ["live", "test"] as const
/** Lanes of a key: all, the leaves' own, or another one. */
const scopes = { all: undefined, included: ["crypto", "weather", "markets"], other: ["baseball"] } as const
const agents = ["none", "buyer", "sibling"] as const
const holders = ["own", "other"] as const

interface Holder {
  readonly account: (typeof holders)[number]
  readonly environment: (typeof environments)[number]
  readonly scope: keyof typeof scopes
  readonly agent: (typeof agents)[number]
}
const keys: ReadonlyArray<Holder> = holders.flatMap((account) =>
  environments.flatMap((environment) =>
    (["all", "included", "other"] as const).flatMap((scope) =>
      agents.map((agent) => ({ account, environment, scope, agent })),
    ),
  ),
)

/** A leaf that a key without an agent, or the agent `buyer`, has bought or written. */
interface Sold {
  readonly what: "signal" | "opinion"
  readonly by: "none" | "buyer"
  /** The leaf's id, and the id of the call that bought it. */
  readonly id: string
  readonly call?: string
}

/** A leaf as its proof has it. */
interface Leaf {
  readonly id: string
  readonly text?: string
  readonly sealed_until?: string
}

const isReader = ({ account, environment, scope, agent }: Holder, { by }: Sold): boolean =>
  account === "own" && environment === "live" && scope !== "other" && (agent === "none" || agent === by)

let server: running.Running
const tokens = new Map<Holder, string>()
const leaves: Array<Sold> = []

let asked = 0
/** An address of its own for each request: proofs have a limit by address. */
const read = async (path: string, token: string) => {
  asked += 1
  const response = await fetch(server.url + path, {
    headers: {
      "x-forwarded-for": `198.51.${100 + (asked >> 8)}.${asked & 255}`,
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
    },
  })
  return { status: response.status, text: await response.text() }
}

const leafOf = async (name: string, token: string) => {
  const { status, text } = await read(`/v1/proof/inclusion?leaf=${encodeURIComponent(name)}`, token)
  return { status, leaf: JSON.parse(text).leaf as Leaf }
}

const issued = Effect.gen(function* () {
  const [accounts, all] = [yield* Accounts, yield* Agents]
  for (const account of holders) {
    const { id } = yield* accounts.create(account)
    yield* accounts.credit(id, MicroUsd(1_000_000))
    for (const name of ["buyer", "sibling"]) yield* all.create(id, name, {})
    for (const holder of keys.filter((key) => key.account === account)) {
      const { plaintext } = yield* accounts.issueKey({
        ...{ account: id, environment: holder.environment, tier: "enterprise", rpm: 100_000 },
        ...(holder.agent === "none" ? {} : { agent: holder.agent }),
        ...ifDefined("scopes", scopes[holder.scope]),
      })
      tokens.set(holder, Redacted.value(plaintext))
    }
  }
})

beforeAll(async () => {
  server = await running.start(
    {
      ...{ crypto: "live", markets: "live" },
      network: { trusts: isLoopback, maxConnections: 1_000, maxPerAddress: 256 },
    },
    { clock },
  )
  await server.run(fillTapes())
  await server.run(
    Effect.flatMap(ContractStore, ({ replace }) => replace("kalshi", "weather", [contract()], noon)).pipe(
      Effect.provide(contracts.layerStore),
    ),
  )
  await server.run(issued)
  for (const by of ["none", "buyer"] as const) {
    const key = keys.find(
      (one) => one.account === "own" && one.environment === "live" && one.scope === "all" && one.agent === by,
    )!
    const signal = await server.get("/v1/crypto/signal?asset=BTC&horizon_minutes=240", tokens.get(key))
    assert.strictEqual(signal.status, 200, signal.text)
    const call = signal.json._meta.request_id as string
    const written = await server.get("/v1/bench/opinions", tokens.get(key), {
      method: "POST",
      body: JSON.stringify({ model: `model-of-${by}`, opinions: [{ market: ticker, prob: 0.25 }] }),
      headers: { "content-type": "application/json" },
    })
    assert.strictEqual(written.status, 200, written.text)
    await server.run(Effect.provide(signCheckpoint, signer.layerMemory(origin)))
    leaves.push(
      { what: "signal", by, id: (await leafOf(call, tokens.get(key)!)).leaf.id, call },
      { what: "opinion", by, id: written.json.results.opinions[0].leaf_id },
    )
  }
}, 120_000)
afterAll(() => server.stop())

const named = ({ account, environment, scope: of, agent }: Holder): string =>
  `${account} account, ${environment}, scopes ${of}, agent ${agent}`

describe.sequential("the text of a sealed leaf", () => {
  it("is shown to whom it belongs, by its id and by the call that bought it", async () => {
    let shown = 0
    for (const holder of keys) {
      for (const sold of leaves) {
        const [what, expected] = [`${sold.what} by ${sold.by}: ${named(holder)}`, isReader(holder, sold)]
        const { leaf } = await leafOf(sold.id, tokens.get(holder)!)
        assert.strictEqual(leaf.text !== undefined, expected, what)
        assert.isDefined(leaf.sealed_until, what)
        if (sold.call !== undefined) {
          const { status, leaf: same } = await leafOf(sold.call, tokens.get(holder)!)
          assert.strictEqual(status, expected ? 200 : 404, what)
          if (expected) assert.deepStrictEqual(same, leaf, what)
        }
        if (expected) shown += 1
      }
    }
    // Two scopes: a key without an agent reads all four leaves, the agent its two.
    assert.strictEqual(shown, 12)
  })

  it("is shown to nobody without a key, on no other page, and in no export", async () => {
    for (const { id, call } of leaves) {
      assert.isUndefined((await leafOf(id, "")).leaf.text)
      if (call !== undefined) assert.strictEqual((await leafOf(call, "")).status, 404)
      const page = await (await fetch(`${server.url}/record?leaf=${id}`)).text()
      for (const word of ["salt", "BTC", ticker]) assert.notInclude(page, word)
    }
    for (const token of ["", ...tokens.values()]) {
      const { text } = await read("/v1/proof/leaves", token)
      // The checkpoints are public.
      const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.strictEqual(lines.filter(({ sealed_until }) => sealed_until !== undefined).length, leaves.length)
      assert.notInclude(text, "salt")
    }
  })

  it("is everybody's from the close on; the id of a call still names a leaf for its buyer alone", async () => {
    clock.set(close)
    for (const sold of leaves) {
      const { leaf } = await leafOf(sold.id, "")
      assert.include(leaf.text, sold.what === "signal" ? '"crypto"' : `"model-of-${sold.by}"`)
      for (const holder of keys) {
        assert.deepStrictEqual((await leafOf(sold.id, tokens.get(holder)!)).leaf, leaf, named(holder))
        if (sold.call === undefined) continue
        const { status } = await leafOf(sold.call, tokens.get(holder)!)
        assert.strictEqual(status, isReader(holder, sold) ? 200 : 404, named(holder))
      }
    }
  })
})
