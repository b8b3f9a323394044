import { connected } from "./postgresServer.ts"

/** Journal and audit of many earlier calls of the same accounts, in the order of their ids. */
export const fill = (url: string, rows: number): Promise<void> =>
  connected(url, async (client) => {
    await client.query("SET synchronous_commit = off")
    const month = new Date().toISOString().slice(0, 7)
    await client.query("SELECT audit_month($1)", [month])
    await client.query(
      "CREATE TEMP TABLE payers AS SELECT row_number() OVER (ORDER BY id) AS n, id, account_id FROM api_keys",
    )
    const page = 1_000_000
    const earlier = (from: number, to: number) => `
      SELECT 'req_' || lpad(to_hex(g), 26, '0') AS id, ${Date.now()} - ${rows} + g AS at, p.id AS key, p.account_id AS account
      FROM generate_series(${from}, ${to}) g JOIN payers p ON p.n = 1 + g % (SELECT count(*) FROM payers)`
    for (let from = 1; from <= rows; from += page) {
      const each = earlier(from, Math.min(rows, from + page - 1))
      await client.query(`INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
        SELECT id, at, 'charge', account, 'wallet:' || account, 'revenue', 1000, key, 'crypto_signal' FROM (${each}) x`)
      await client.query(
        `INSERT INTO audit (month, request_id, at, account_id, key_id, endpoint, params_hash, status, charged_micros, latency_ms, calls)
        SELECT $1, id, at, account, key, 'crypto_signal', md5(id), 200, 1000, 1, 1 FROM (${each}) x`,
        [month],
      )
    }
    // As a store is that has grown over months: what was written at once would be cleaned while charges are measured.
    await client.query("VACUUM (ANALYZE, FREEZE)")
    await client.query("CHECKPOINT")
  })
