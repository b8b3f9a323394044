import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import type { KeyRequest } from "../../core/account/KeyRequest.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { Webhooks } from "../../core/events/Webhooks.ts"
import { webhooksOver } from "./webhooks.ts"

/** A key of the store, by the name that generated requests call it. */
export interface Token {
  readonly token: string
  readonly keyId: string
  readonly agentId?: string
}

/** What generated requests may name: everything of it is made before the server starts. */
export interface World {
  readonly accountId: string
  readonly credited: number
  readonly keys: Readonly<Record<KeyName, Token>>
  /** Of an account of its own, for verbs of the operator that break things. */
  readonly victim: {
    readonly account: string
    readonly agent: string
    readonly keys: ReadonlyArray<string>
    readonly webhook: string
  }
  /** What no answer may ever show. */
  readonly secrets: ReadonlyArray<string>
}

export const keyNames = [
  "live",
  "live2",
  "test",
  "liveAgent",
  "testAgent",
  "capped",
  "paused",
  "revoked",
  "expired",
  "scoped",
  "slow",
  "poor",
] as const
export type KeyName = (typeof keyNames)[number]

/** Faster than any test can ask. */
const rpm = 10_000_000
const credited = 900_000_000_000

/** Accounts, agents and keys of every kind in a new store. */
export const makeWorld = (file: string): Promise<World> =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const agents = yield* Agents
    const { id } = yield* accounts.create("fuzz")
    yield* accounts.credit(id, MicroUsd(credited))
    const { id: poor } = yield* accounts.create("poor")
    const spender = yield* agents.create(id, "spender", {})
    const capped = yield* agents.create(id, "capped", { budgetCap: MicroUsd(2_500) })
    const paused = yield* agents.create(id, "paused", {})
    const issue = (environment: "live" | "test", more: Partial<KeyRequest> = {}) =>
      Effect.map(
        accounts.issueKey({ account: id, environment, tier: "enterprise", rpm, ...more }),
        ({ plaintext, key }): Token => ({
          token: Redacted.value(plaintext),
          keyId: key.id,
          ...(more.agent === undefined ? {} : { agentId: more.agent }),
        }),
      )
    const keys: Readonly<Record<KeyName, Token>> = {
      live: yield* issue("live"),
      live2: yield* issue("live"),
      test: yield* issue("test"),
      liveAgent: yield* issue("live", { agent: spender.id }),
      testAgent: yield* issue("test", { agent: spender.id }),
      capped: yield* issue("live", { agent: capped.id }),
      paused: yield* issue("live", { agent: paused.id }),
      revoked: yield* issue("live"),
      expired: yield* issue("live", { expiresAt: (yield* Clock.currentTimeMillis) + 1_000 }),
      scoped: yield* issue("live", { scopes: ["crypto"] }),
      slow: yield* issue("test", { rpm: 1 }),
      poor: yield* issue("live", { account: poor }),
    }
    yield* agents.pause(paused.id)
    yield* accounts.revokeKey(keys.revoked.keyId)
    const { id: account } = yield* accounts.create("victim")
    const { id: agent } = yield* agents.create(account, "broken", {})
    const broken = yield* Effect.forEach([1, 2, 3, 4], () =>
      accounts.issueKey({ account, environment: "test", tier: "indie" }),
    )
    const { webhook, secret } = yield* (yield* Webhooks).create(account, "https://hook.example/", [
      "agent.budget_warning",
    ])
    return {
      accountId: id,
      credited,
      keys,
      victim: { account, agent, keys: broken.map(({ key }) => key.id), webhook: webhook.id },
      secrets: [...Object.values(keys).map(({ token }) => token), Redacted.value(secret)],
    }
  }).pipe(Effect.provide(webhooksOver(file)), Effect.runPromise)
