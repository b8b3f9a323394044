import { open } from "../../adapters/store/engine/sqlite/driver.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../core/lanes/all.ts"
import type { KeyName, World } from "./hostileWorld.ts"

/** What callers were told they were charged: micro-dollars by request id, and who it was. */
export type Acknowledged = ReadonlyMap<string, { readonly key: KeyName; readonly micros: number }>

interface Charge {
  readonly id: string
  readonly account_id: string
  readonly key_id: string
  readonly micros: number
  readonly endpoint: string
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, each) => total + each, 0)

/**
 * Holds the store of a stopped server against what its callers were told: every charge once, at list price, to the key
 * and agent that called; nothing else; and the wallet is what is left.
 *
 * @returns what does not agree
 */
export const disagreements = (file: string, world: World, acknowledged: Acknowledged): ReadonlyArray<string> => {
  const db = open(file, { readonly: true })
  const found: Array<string> = []
  const agree = (what: string, stored: unknown, told: unknown) => {
    if (stored !== told) found.push(`${what}: stored ${stored}, told ${told}`)
  }
  const one = (sql: string, ...values: ReadonlyArray<unknown>) =>
    db
      .prepare(sql)
      .pluck()
      .get(...values)
  try {
    agree("integrity", one("PRAGMA integrity_check"), "ok")
    const charges = db
      .prepare("SELECT id, account_id, key_id, micros, endpoint FROM postings WHERE kind = 'charge'")
      .all() as ReadonlyArray<Charge>
    const names = new Map(Object.entries(world.keys).map(([name, { keyId }]) => [keyId, name]))
    for (const { id, account_id, key_id, micros, endpoint } of charges) {
      const told = acknowledged.get(id)
      if (told === undefined) found.push(`${id}: ${micros} for ${endpoint}, of which nobody was told`)
      else if (told.micros !== micros || told.key !== names.get(key_id)) {
        found.push(`${id}: stored ${micros} to ${names.get(key_id)}, told ${told.micros} to ${told.key}`)
      }
      agree(`${id}: account`, account_id, world.accountId)
      const price = catalogue.byId.get(endpoint)
      agree(`${id}: price of ${endpoint}`, micros, price === undefined ? undefined : Endpoint.charge(price.endpoint))
    }
    const ids = new Set(charges.map(({ id }) => id))
    agree("charges once each", ids.size, charges.length)
    for (const [id, { micros }] of acknowledged) if (!ids.has(id)) found.push(`${id}: told ${micros}, stored nothing`)
    const total = sum(charges.map(({ micros }) => micros))
    agree("sum", total, sum([...acknowledged.values()].map(({ micros }) => micros)))
    agree(
      "wallet",
      one("SELECT balance_micros FROM wallets WHERE account_id = ?", world.accountId),
      world.credited - total,
    )
    for (const [name, { keyId, agentId }] of Object.entries(world.keys)) {
      const told = sum([...acknowledged.values()].filter(({ key }) => key === name).map(({ micros }) => micros))
      agree(
        `key ${name}`,
        one("SELECT coalesce(SUM(micros), 0) FROM postings WHERE kind = 'charge' AND key_id = ?", keyId),
        told,
      )
      if (agentId !== undefined && name !== "testAgent") {
        agree(
          `agent of ${name}`,
          one("SELECT coalesce(SUM(micros), 0) FROM agent_spend WHERE agent_id = ? AND livemode = 1", agentId),
          told,
        )
      }
    }
    agree("audited", one("SELECT coalesce(SUM(charged_micros), 0) FROM audit"), total)
    agree("charged without success", one("SELECT COUNT(*) FROM audit WHERE charged_micros > 0 AND status <> 200"), 0)
  } finally {
    db.close()
  }
  return found
}
