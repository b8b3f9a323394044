import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type pg from "pg"
import * as auditTrail from "../../adapters/store/audit/AuditTrail.ts"
import * as Postgres from "../../adapters/store/engine/postgres/open.ts"
import { AuditTrail } from "../../core/account/AuditTrail.ts"

/** The trail over a PostgreSQL database, opened as programs do. */
export const openTrail = (url: Redacted.Redacted) =>
  Effect.map(Layer.build(Layer.provide(auditTrail.layer, Postgres.layer(url))), Context.get(AuditTrail))

/**
 * The ids of a month's rows by all pages, and what happens between two of them. A page is asked for again, as its error says,
 * where a transaction of another test on this server stayed open for longer than a page waits.
 */
export const readTrail = (
  trail: AuditTrail["Type"],
  month: string,
  limit: number,
  between: (page: number) => Effect.Effect<unknown> = () => Effect.void,
  times = 4,
) =>
  Effect.gen(function* () {
    const ids: Array<string> = []
    for (let [after, n] = [0 as number | undefined, 1]; after !== undefined; n++) {
      const page: { readonly rows: ReadonlyArray<{ readonly requestId: string }>; readonly next?: number } =
        yield* Effect.retry(trail.page(month, after, limit), {
          times,
          while: ({ code }) => code === "storage_unavailable",
        })
      ids.push(...page.rows.map(({ requestId }) => requestId))
      after = page.next
      yield* between(n)
    }
    return ids
  })

/** Adds rows to a month of the trail, in one transaction. */
export const insertCalls = (client: pg.Client, month: string, ids: ReadonlyArray<string>) =>
  client.query(
    `INSERT INTO audit (month, request_id, at, account_id, key_id, endpoint, params_hash, status, charged_micros, latency_ms)
     SELECT $1, id, 0, 'acct', 'key', 'e', '', 200, 0, 0 FROM unnest($2::text[]) id`,
    [month, ids],
  )
