import * as Effect from "effect/Effect"
import type { KeyRecord } from "../../../core/account/AccountStore.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { abbreviateKey } from "../../../core/account/ApiKey.ts"
import * as Port from "../../../core/account/Names.ts"
import type { Field } from "../../admin/fields.ts"

/** Agents that a form lists. */
const maxChoices = 100

/**
 * The field of an account's agents, the newest first, to choose from; text where there are too many for a list, and no
 * field where there are none.
 */
export const agentFields = (accountId: string) =>
  Effect.map(
    Effect.flatMap(Agents, ({ page }) => page(accountId, { open: true, limit: maxChoices + 1 })),
    (agents): ReadonlyArray<Field> => {
      const field = { name: "agent", label: "Agent", isOptional: true }
      if (agents.length === 0) return []
      if (agents.length > maxChoices)
        return [{ ...field, help: "Id or name; its spending caps apply.", kind: { _tag: "Text", most: 64 } }]
      const values = agents.map(({ agent }) => agent.name)
      return [{ ...field, help: "Its spending caps apply.", kind: { _tag: "Choice", values, none: "None" } }]
    },
  )

/** A key by its name, and by the ends of its text, such as `nightly (svk_live_…rWca)`. */
export const keyName = ({ name, ...key }: Pick<KeyRecord, "name" | "environment" | "lastFour">): string =>
  name === undefined ? abbreviateKey(key) : `${name} (${abbreviateKey(key)})`

/** Agents and keys of an account by id, those that have ended too. */
export interface Names {
  readonly agents: ReadonlyMap<string, string>
  readonly keys: ReadonlyMap<string, string>
}

/** The names of some, and of those that a page knows already. */
export const readNames = (
  accountId: string,
  which: { readonly agents: Port.Which; readonly keys: Port.Which },
  known?: Names,
) =>
  Effect.gen(function* () {
    const { agents, keys } = yield* Port.Names
    const names: Names = {
      agents: new Map([
        ...(known?.agents ?? []),
        ...(yield* agents(accountId, which.agents)).map(({ id, name }) => [id, name] as const),
      ]),
      keys: new Map([
        ...(known?.keys ?? []),
        ...(yield* keys(accountId, which.keys)).map((key) => [key.id, keyName(key)] as const),
      ]),
    }
    return names
  })

interface Row {
  readonly agentId?: string | undefined
  readonly keyId?: string | undefined
}

const nobody: Names = { agents: new Map(), keys: new Map() }

/** The names that rows refer to, and those that are known already. */
export const namesIn = (accountId: string, rows: ReadonlyArray<Row>, known: Names = nobody) => {
  const others = (name: keyof Row, names: ReadonlyMap<string, string>): ReadonlyArray<string> => [
    ...new Set(rows.flatMap(({ [name]: id }) => (id === undefined || names.has(id) ? [] : [id]))),
  ]
  const [agents, keys] = [others("agentId", known.agents), others("keyId", known.keys)]
  return agents.length + keys.length === 0
    ? Effect.succeed(known)
    : readNames(accountId, { agents: { ids: agents }, keys: { ids: keys } }, known)
}
