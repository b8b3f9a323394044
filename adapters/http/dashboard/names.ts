import * as Effect from "effect/Effect"
import type { KeyRecord } from "../../../core/account/AccountStore.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"

/** A key by its name, and by the end of its text. */
export const keyName = ({ name, lastFour }: Pick<KeyRecord, "name" | "lastFour">): string =>
  name === undefined ? `…${lastFour}` : `${name} …${lastFour}`

/** Agents and keys of an account by id, those that have ended too. */
export interface Names {
  readonly agents: ReadonlyMap<string, string>
  readonly keys: ReadonlyMap<string, string>
}

const mapOf = (keys: ReadonlyArray<KeyRecord>): ReadonlyMap<string, string> =>
  new Map(keys.map((key) => [key.id, keyName(key)]))

/** The newest keys of an account, newest first. */
export const newestKeys = (accountId: string, limit: number) =>
  Effect.map(
    Effect.flatMap(Accounts, ({ keyPage }) => keyPage(accountId, { limit })),
    mapOf,
  )

/** The names of some keys: an account may have ten thousand. What is no key of the account is left out. */
export const keysNamed = (accountId: string, ids: Iterable<string>) =>
  Effect.map(
    Effect.flatMap(Accounts, (accounts) => accounts.keysNamed(accountId, [...new Set(ids)])),
    mapOf,
  )

/** The agents of an account, the newest first. */
export const agentNames = (accountId: string) =>
  Effect.map(
    Effect.flatMap(Agents, ({ list }) => list(accountId)),
    (agents) => new Map(agents.toReversed().map(({ id, name }) => [id, name])),
  )
