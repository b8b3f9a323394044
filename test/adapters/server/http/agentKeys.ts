import { setImmediate } from "node:timers/promises"
import { assert } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../../../core/account/Accounts.ts"
import type { Caps } from "../../../../core/account/AgentStore.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import type { KeyRequest } from "../../../../core/account/KeyRequest.ts"
import type { Running } from "../../../support/running.ts"

export const paid = "/v1/weather/settlement?station=KNYC&fields=station.id"
export const noon = Date.parse("2026-07-09T12:00:00Z")
export const bad = "/v1/weather/settlement?station=XXXX"
export const free = "/v1/weather/stations?fields=count"

/** A new key of the server's account, or of the account that the request names. */
export const issue = (at: Running, request: Partial<KeyRequest>): Promise<string> =>
  at.run(
    Effect.flatMap(Accounts, (accounts) =>
      Effect.map(
        accounts.issueKey({ account: at.account.id, environment: "live", tier: "pro", ...request }),
        ({ plaintext }) => Redacted.value(plaintext),
      ),
    ),
  )

export const agents = <A, E>(
  at: Running,
  use: (agents: Context.Tag.Service<Agents>) => Effect.Effect<A, E>,
): Promise<A> => at.run(Effect.flatMap(Agents, use))

export const accounts = <A, E>(
  at: Running,
  use: (accounts: Context.Tag.Service<Accounts>) => Effect.Effect<A, E>,
): Promise<A> => at.run(Effect.flatMap(Accounts, use))

/** A key of an agent in an account with `balance`. */
export const agentKey = async (
  at: Running,
  name: string,
  caps: Caps,
  balance: number,
  request: Partial<KeyRequest> = {},
) => {
  const account = await at.run(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { id } = yield* accounts.create(`owner of ${name}`)
      if (balance > 0) yield* accounts.credit(id, balance as never)
      return id
    }),
  )
  await agents(at, (all) => all.create(account, name, caps))
  return issue(at, { account, agent: name, ...request })
}

export const limits = ({ headers }: { readonly headers: Headers }) =>
  ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "ratelimit-policy"].map((name) =>
    headers.get(name),
  )

export const none = [null, null, null, null, null]

/** Milliseconds until something is done; the duration itself is not under test. */
export const until = async (done: () => Promise<boolean>): Promise<number> => {
  const began = performance.now()
  while (!(await done())) {
    assert.isBelow(performance.now() - began, 10_000, "it does not come")
    await setImmediate()
  }
  return performance.now() - began
}
