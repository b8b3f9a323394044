import type { UsageGroup } from "../../../core/account/Usage.ts"
import { hour } from "../../../core/time.ts"
import type { Database } from "../engine/sqlite/client.ts"
import * as Steps from "./usageSteps.ts"

/** A call as the sums of usage count it. */
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
/** In the order of the table's key. */
const kinds = (Object.keys(names) as ReadonlyArray<UsageGroup>).toSorted()

interface Sum {
  readonly account: string
  readonly kind: UsageGroup
  readonly hour: number
  readonly name: string
  readonly livemode: number
  calls: number
  charged: number
}

const key = "account_id, span, kind, start, name, livemode"
const insert = `INSERT INTO usage_sums (${key}, calls, charged_micros)`

/** Adds rows of an account to its sums of usage on SQLite, in a transaction. */
export const make = (db: Database) => {
  const sql = {
    /** Sums from here on are of hours alone: no step has reached them. */
    fresh: db.prepare("SELECT coalesce(max(goal), 0) FROM usage_steps").pluck(),
    hour: db.prepare(
      `${insert} VALUES (@account, ${hour}, @kind, @hour, @name, @livemode, @calls, @charged) ${Steps.orAdded}`,
    ),
    late: db.prepare(`
      ${insert} SELECT new_sums.account_id, span, new_sums.kind, ${Steps.newStart("sqlite")}, name, livemode, calls, charged_micros
      FROM (
        SELECT @account AS account_id, s.span, @kind AS kind, @hour AS hour, @name AS name, @livemode AS livemode,
          @calls AS calls, @charged AS charged_micros FROM (${Steps.eachSpan}) s) new_sums
      CROSS JOIN ${Steps.everyStep} WHERE ${Steps.belongs} ${Steps.orAdded}`),
  }
  return (account: string, rows: ReadonlyArray<UsageRow>, livemodeOf: (keyId: string) => number): void => {
    const sums = new Map<string, Sum>()
    for (const row of rows) {
      const { at, calls, micros: charged } = row
      const [start, livemode] = [at - (at % hour), livemodeOf(row.keyId)]
      for (const kind of kinds) {
        const name = names[kind](row)
        const place = `${kind}/${start}/${name}/${livemode}`
        const sum = sums.get(place)
        if (sum === undefined) sums.set(place, { account, kind, hour: start, name, livemode, calls, charged })
        else {
          sum.calls += calls
          sum.charged += charged
        }
      }
    }
    const fresh = sql.fresh.get() as number
    for (const sum of sums.values()) (sum.hour >= fresh ? sql.hour : sql.late).run(sum)
  }
}
