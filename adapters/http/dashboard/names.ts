import * as Effect from "effect/Effect"
import type { KeyRecord } from "../../../core/account/AccountStore.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"

/** A key by its name, and by the end of its text. */
export const keyName = ({ name, lastFour }: Pick<KeyRecord, "name" | "lastFour">): string =>
  name === undefined ? `…${lastFour}` : `${name} …${lastFour}`

/** Agents and keys of an account by id, the newest first, those that have ended too. */
export interface Names {
  readonly agents: ReadonlyMap<string, string>
  readonly keys: ReadonlyMap<string, string>
}

export const namesOf = (accountId: string) =>
  Effect.gen(function* () {
    const keys = yield* (yield* Accounts).keys(accountId)
    const agents = yield* (yield* Agents).list(accountId)
    const names: Names = {
      agents: new Map(agents.toReversed().map(({ id, name }) => [id, name])),
      keys: new Map(keys.toReversed().map((key) => [key.id, keyName(key)])),
    }
    return names
  })
