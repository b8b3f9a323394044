import { noBytes, type ReplyBytes, rowBytes } from "../../../../core/account/decide.ts"
import { day } from "../../../../core/time.ts"
import type { Database } from "../../engine/sqlite/client.ts"

/** Bytes of a row in the sum of its key and UTC day. */
export interface Counted {
  readonly seq: number
  readonly keyId: string
  readonly today: number
  readonly bytes: ReplyBytes
}

type Sum = Omit<Counted, "seq">

/** Rows, or names, of one transaction: some milliseconds. */
export const sliceRows = 1_000

const sumName = (keyId: string, today: number): string => `${keyId}/${today}`

/** Adds bytes to the sum of a key and day; a sum of nothing is left out. */
const addTo = (sums: Map<string, Sum>, { keyId, today, bytes }: Sum, sign = 1): void => {
  const name = sumName(keyId, today)
  const before = sums.get(name)?.bytes ?? noBytes
  const sum = { charged: before.charged + sign * bytes.charged, free: before.free + sign * bytes.free }
  if (sum.charged + sum.free === 0) sums.delete(name)
  else sums.set(name, { keyId, today, bytes: sum })
}

/** The bytes that a stored reply adds to the sums. */
export const counted = (seq: number, keyId: string, at: number, length: number, isCharged: boolean): Counted => {
  const size = rowBytes + length
  const bytes = isCharged ? { charged: size, free: 0 } : { charged: 0, free: size }
  return { seq, keyId, today: Math.floor(at / day), bytes }
}

/** Sums of stored bytes by key and UTC day: those of the table, and of rows that are not folded. */
export const make = (db: Database) => {
  const sql = {
    bytes: db.prepare("SELECT charged, free FROM reply_bytes WHERE key_id = ? AND day = ?"),
    addBytes: db.prepare(`
      INSERT INTO reply_bytes (key_id, day, charged, free) VALUES (?, ?, ?, ?)
      ON CONFLICT (key_id, day) DO UPDATE SET charged = charged + excluded.charged, free = free + excluded.free`),
  }
  /** What rows add to sums, in order, as far as they are not folded. */
  let rows: Array<Counted> = []
  const sums = new Map<string, Sum>()
  return {
    add: (row: Counted): void => {
      rows.push(row)
      addTo(sums, row)
    },
    forget: (): void => {
      rows = []
      sums.clear()
    },
    size: (): number => rows.length,
    /** Bytes of a key in a UTC day. */
    used: (keyId: string, today: number): ReplyBytes => {
      const { charged, free } = (sql.bytes.get(keyId, today) as ReplyBytes | undefined) ?? noBytes
      const more = sums.get(sumName(keyId, today))?.bytes ?? noBytes
      return { charged: charged + more.charged, free: free + more.free }
    },
    /** Folds a slice of rows up to a number, in a transaction. Returns the last of them; undefined: there are no more. */
    fold: (upTo: number): number | undefined => {
      const end = rows.findIndex(({ seq }) => seq > upTo)
      const some = rows.slice(0, Math.min(sliceRows, end === -1 ? rows.length : end))
      const added = new Map<string, Sum>()
      for (const row of some) addTo(added, row)
      // In the order of the table.
      for (const [, { keyId, today, bytes }] of [...added].sort(([one], [other]) => (one < other ? -1 : 1))) {
        sql.addBytes.run(keyId, today, bytes.charged, bytes.free)
      }
      for (const row of some) addTo(sums, row, -1)
      rows = rows.slice(some.length)
      return some.at(-1)?.seq
    },
  }
}
