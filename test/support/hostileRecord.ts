import type { Database } from "../../adapters/store/engine/sqlite/client.ts"
import { open } from "../../adapters/store/engine/sqlite/driver.ts"
import { foldAll } from "./foldAll.ts"

/** The number of a call is a strike that no other call asks for: what was recorded says so itself. */
export const strikeOf = (call: number): number => 1_000_000 + call
const callOf = (leaf: string): number | undefined => {
  const { body } = JSON.parse(leaf) as {
    readonly body?: { readonly params?: { readonly strikes?: ReadonlyArray<number> } }
  }
  const strike = body?.params?.strikes?.[0]
  return strike === undefined ? undefined : strike - 1_000_000
}

/** A charge of a live signal beside the capture and the leaf of the same call; null where one of them is missing. */
interface Linked {
  readonly charge: string | null
  readonly key_id: string | null
  readonly by: string | null
  readonly capture: string | null
  readonly position: number | null
  readonly text: string | null
}

/**
 * Charges and captures of one endpoint, joined by the request that made both: the only place that knows how the two are
 * linked in the store.
 */
const linked = (db: Database, endpoint: string): ReadonlyArray<Linked> =>
  db
    .prepare(`
      SELECT j.id AS charge, j.key_id, c.key_id AS by, c.id AS capture, l.position, l.text
      FROM (SELECT id, key_id FROM postings WHERE kind = 'charge' AND endpoint = :endpoint) j
      FULL JOIN (SELECT id, request_id, key_id FROM captures WHERE kind = 'on_demand' AND endpoint = :endpoint) c
        ON c.request_id = j.id
      LEFT JOIN record_leaves l ON l.id = c.id`)
    .all({ endpoint }) as ReadonlyArray<Linked>

export interface Recorded {
  /** Calls by their number, with the request that was charged for each. */
  readonly charged: ReadonlyMap<number, string>
  readonly leaves: number
  /** What is not as it must always be. */
  readonly faults: ReadonlyArray<string>
}

/** Looks at a store that nobody has open: each charge with a capture and a leaf of its own, and each of these with its charge. */
export const recorded = (file: string, endpoint: string, price: number): Recorded => {
  const db = open(file)
  foldAll(db)
  const faults: Array<string> = []
  try {
    const [row] = db.pragma("integrity_check") as ReadonlyArray<{ readonly integrity_check: string }>
    if (row!.integrity_check !== "ok") faults.push(`integrity: ${row!.integrity_check}`)
    const charged = new Map<number, string>()
    const seen = { charge: new Set<string>(), capture: new Set<string>() }
    for (const { charge, key_id, by, capture, position, text } of linked(db, endpoint)) {
      const call = text === null ? undefined : callOf(text)
      if (charge === null) faults.push(`capture ${capture} of call ${call} has no charge`)
      if (capture === null) faults.push(`charge ${charge} has no capture`)
      if (capture !== null && position === null) faults.push(`capture ${capture} has no leaf`)
      if (charge === null || capture === null) continue
      if (by !== key_id) faults.push(`capture ${capture} has another key than its charge`)
      if (seen.charge.has(charge)) faults.push(`charge ${charge} has several captures`)
      if (seen.capture.has(capture)) faults.push(`capture ${capture} has several charges`)
      seen.charge.add(charge)
      seen.capture.add(capture)
      if (call === undefined) faults.push(`the leaf of ${capture} does not say which call it is of`)
      else if (charged.has(call)) faults.push(`call ${call} was charged as ${charged.get(call)} and as ${charge}`)
      else charged.set(call, charge)
    }
    const wallets = db
      .prepare(`
        SELECT w.account_id AS id, w.balance_micros AS balance,
               coalesce(SUM(CASE j.kind WHEN 'credit' THEN j.micros ELSE -j.micros END), 0) AS posted
        FROM wallets w LEFT JOIN postings j ON j.account_id = w.account_id GROUP BY w.account_id`)
      .all() as ReadonlyArray<{ readonly id: string; readonly balance: number; readonly posted: number }>
    for (const { id, balance, posted } of wallets) {
      if (balance !== posted) faults.push(`wallet ${id} holds ${balance}, its postings ${posted}`)
    }
    const odd = db.prepare("SELECT COUNT(*) FROM postings WHERE kind = 'charge' AND micros <> ?").pluck().get(price)
    if (odd !== 0) faults.push(`${odd} charges of another price`)
    const leaves = db.prepare("SELECT COUNT(*) FROM record_leaves").pluck().get() as number
    return { charged, leaves, faults }
  } finally {
    db.close()
  }
}
