import { spanStart, spans, type UsageGroup } from "../../../core/account/Usage.ts"
import type { Database } from "../engine/sqlite/client.ts"
import * as Moves from "./usageMoves.ts"

/** A call as the sums of usage need it. */
export interface UsageRow {
  readonly at: number
  readonly keyId: string
  readonly agentId: string
  readonly endpoint: string
  readonly status: number
  readonly calls: number
  readonly micros: number
}

const names: Readonly<Record<UsageGroup, (row: UsageRow) => string>> = {
  agent: ({ agentId }) => agentId,
  endpoint: ({ endpoint }) => endpoint,
  key: ({ keyId }) => keyId,
  status: ({ status }) => `${Math.floor(status / 100)}xx`,
}

interface Sum {
  readonly key: ReadonlyArray<string | number>
  calls: number
  charged: number
}

/** Adds rows of an account to its sums of usage on SQLite, in a transaction. */
export const make = (db: Database) => {
  const goals = db.prepare(Moves.goalsSql)
  const insert = db.prepare(`${Moves.insertSums} VALUES (?, ?, ?, ?, ?, ?, ?, ?) ${Moves.orAdd}`)
  return (account: string, rows: ReadonlyArray<UsageRow>, readLivemode: (keyId: string) => number): void => {
    const moved = goals.all() as ReadonlyArray<{ readonly span: number; readonly goal: number }>
    const sums = new Map<string, Sum>()
    for (const row of rows) {
      const { at, calls, micros: charged } = row
      const [span, livemode] = [Moves.findSpan(moved, at), readLivemode(row.keyId)]
      const start = spanStart(span, at)
      for (const kind of Moves.kinds) {
        const name = names[kind](row)
        const place = `${span}/${kind}/${start}/${name}/${livemode}`
        const sum = sums.get(place)
        if (sum === undefined) {
          sums.set(place, { key: [account, spans[span], kind, start, name, livemode], calls, charged })
        } else {
          sum.calls += calls
          sum.charged += charged
        }
      }
    }
    for (const { key, calls, charged } of sums.values()) insert.run(...key, calls, charged)
  }
}
