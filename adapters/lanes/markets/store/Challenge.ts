import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../../../../core/account/PlatformCrypto.ts"
import * as Ulid from "../../../../core/account/Ulid.ts"
import { fail } from "../../../../core/Failure.ts"
import { getOrMake } from "../../../../core/getOrMake.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { Challenge, type Challenger } from "../../../../core/lanes/markets/challenge/Challenge.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import { headToHead } from "../../../../core/record/scoreboard/board.ts"
import * as Challengers from "../../../../core/record/scoreboard/challengers.ts"
import * as Step from "../../../../core/Step.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { dialects } from "../../../store/engine/Dialect.ts"
import { DiskSpace } from "../../../store/engine/diskGuard.ts"
import { type Queries, Transactions } from "../../../store/engine/Transactions.ts"
import { type CountedRow, countedColumns, toCounted } from "../../../store/record/settledRow.ts"
import * as Opinions from "./Opinions.ts"

/** Settled rows of one read, each with an opinion of every challenger: some milliseconds with twenty challengers. */
const rowsPerRead = 10

/** A settled row with a challenger that has opinions on its contract, and the last comparable one of these. */
interface SharedRow extends CountedRow {
  readonly quoted_at: number | null
  readonly challenger: string
  readonly p: number | null
  readonly at: number | null
  readonly anchored_at: number | null
  /** −1 for a row that a later revision has replaced. */
  readonly sign: 1 | -1
}

/** When the first checkpoint over an opinion was signed: the smallest over its leaf is the earliest. */
const anchoredAtSql = (opinion: string): string => `(
  SELECT k.at FROM record_checkpoints AS k
  WHERE k.size > (SELECT position FROM record_leaves AS l WHERE l.id = ${opinion}.id) ORDER BY k.size LIMIT 1)`

/**
 * Reads of the scores. The settled rows are numbered in the order of their commits, so that a reader continues after
 * the last one. The opinion of a row is found by the rule of `isComparable`, which `add` checks again; a model's
 * opinions are searched backwards from the capture, not all read.
 */
const reads = ({ prepare, dialect }: Queries) => {
  const quotedAt = `CAST(${dialects[dialect].jsonText("k.contract", "quotedAt")} AS BIGINT)`
  const sql = {
    last: prepare<{ readonly seq: number | null; readonly settled_at: number | null }>(
      "SELECT MAX(seq) AS seq, MAX(settled_at) AS settled_at FROM settled_rows WHERE seq > ?",
    ),
    some: prepare("SELECT 1 FROM bench_opinions LIMIT 1"),
    shared: prepare<SharedRow>(`
      WITH news AS (
        SELECT ${countedColumns.map((name) => `s.${name}`).join(", ")}, ${quotedAt} AS quoted_at,
          CASE WHEN s.revision = c.revision THEN 1 ELSE -1 END AS sign
        FROM settled_rows AS c
        JOIN settled_rows AS s
          ON s.venue = c.venue AND s.ticker = c.ticker AND s.revision IN (c.revision, c.revision - 1)
        LEFT JOIN captured_contracts AS k
          ON k.venue = s.venue AND k.ticker = s.ticker AND k.at = s.captured_at AND k.capture_id = s.capture_id
        WHERE c.seq > ? AND c.seq <= ?
      ), challengers AS (
        SELECT DISTINCT s.venue, s.ticker, o.model
        FROM news AS s JOIN bench_opinions AS o ON o.venue = s.venue AND o.ticker = s.ticker
      )
      SELECT s.*, c.model AS challenger, o.p, o.at, ${anchoredAtSql("o")} AS anchored_at
      FROM news AS s
      JOIN challengers AS c ON c.venue = s.venue AND c.ticker = s.ticker
      LEFT JOIN bench_opinions AS o ON o.seq = (
        SELECT n.seq FROM bench_opinions AS n
        WHERE n.venue = s.venue AND n.ticker = s.ticker AND n.model = c.model
          AND n.at <= CASE WHEN s.quoted_at < s.captured_at THEN s.quoted_at ELSE s.captured_at END
          AND ${anchoredAtSql("n")} < s.close_time
        ORDER BY n.at DESC, n.seq DESC LIMIT 1
      )`),
  }
  return {
    /** The last row after a number, and the latest settlement of those after it. */
    last: (after: number) => sql.last.get(after),
    some: Step.fn(function* () {
      return (yield* sql.some.get()) !== undefined
    }),
    shared: (after: number, to: number) => sql.shared.all(after, to),
  }
}

/** The sums of every challenger, brought up to the last settled row; one reader at a time. */
const makeScoring = (transactions: Transactions["Type"]) => {
  const { read } = transactions
  const step = reads(transactions)
  const sums = new Map<string, Challengers.Sums>()
  const one = Effect.unsafeMakeSemaphore(1)
  let [done, settledAt]: [number, number | undefined] = [0, undefined]

  const count = (rows: ReadonlyArray<SharedRow>): void => {
    for (const row of rows) {
      const scored = headToHead(toCounted(row))
      if (scored === undefined) continue
      const challengerSums = getOrMake(sums, row.challenger, Challengers.empty)
      const { quoted_at, p, at, anchored_at } = row
      const opinion =
        p === null || at === null ? undefined : { p, at, ...ifDefined("anchoredAt", anchored_at ?? undefined) }
      Challengers.add(
        challengerSums,
        { ...scored, ...ifDefined("quotedAt", quoted_at ?? undefined) },
        opinion,
        row.sign,
      )
    }
  }

  const current = Effect.gen(function* () {
    const { seq, settled_at } = (yield* read(() => step.last(done)))!
    if (seq === null || settled_at === null) return { sums, settledAt }
    settledAt = Math.max(settled_at, settledAt ?? 0)
    // No opinion is on a settled contract: before the first opinion there are no rows to count.
    if (!(yield* read(step.some))) done = seq
    while (done < seq) {
      const to = Math.min(seq, done + rowsPerRead)
      count(yield* read(() => step.shared(done, to)))
      done = to
      yield* yieldToEventLoop
    }
    return { sums, settledAt }
  })
  return one.withPermits(1)(current)
}

const saltBytes = 16
const idBytes = 10

/** The challenge in the store: opinions with their leaves, and the scores over the settled rows. */
export const layer: Layer.Layer<Challenge, never, DiskSpace | PlatformCrypto | SyncSha256 | Transactions> =
  Layer.effect(
    Challenge,
    Effect.gen(function* () {
      const transactions = yield* Transactions
      const { read, write } = transactions
      const { randomBytes } = yield* PlatformCrypto
      const disk = yield* DiskSpace
      const step = Opinions.steps(transactions, (yield* SyncSha256).sha256)
      const receipts = Opinions.receiptsIn(transactions)
      const scored = makeScoring(transactions)

      /** Leaves the rest of a full disk to paid calls, as these writes are free. */
      const requireSpace = Effect.suspend(() =>
        disk.isLow()
          ? Effect.fail(
              fail("storage_unavailable", { detail: "The store's disk is nearly full.", retryAfterMs: 60_000 }),
            )
          : Effect.void,
      )
      const secrets = (count: number) =>
        Effect.zipWith(Effect.clock, randomBytes(count * (idBytes + saltBytes)), (clock, bytes) =>
          Array.from({ length: count }, (_, at) => {
            const from = at * (idBytes + saltBytes)
            return {
              id: Ulid.encode(clock.unsafeCurrentTimeMillis(), bytes, from),
              salt: Encoding.encodeBase64Url(bytes.subarray(from + idBytes, from + idBytes + saltBytes)),
            }
          }),
        )

      return {
        freshness: "live",
        practiceContracts: () => [],
        closeTimes: (tickers) => read(() => step.closeTimes(tickers)),
        receipts: (...asked) => read(() => receipts(...asked)),
        submit: (author, model, opinions) =>
          Effect.gen(function* () {
            yield* requireSpace
            const made = yield* secrets(opinions.length)
            const clock = yield* Effect.clock
            return yield* write(() => step.submit(author, model, opinions, made, clock))
          }),
        withdraw: (accountId, model) =>
          Effect.flatMap(Effect.clock, (clock) => write(() => step.withdraw(accountId, model, clock))),
        challengers: Effect.gen(function* () {
          const { sums, settledAt } = yield* scored
          const rows = yield* read(step.models)
          const withdrawnAt = new Map(
            rows.flatMap(({ model, status, at }) => (status === "withdrawn" ? [[model, at]] : [])),
          )
          const numbers = new Map<string, { entered: number; withdrawn: number }>()
          for (const { account_id, status } of rows) {
            const counts = getOrMake(numbers, account_id, () => ({ entered: 0, withdrawn: 0 }))
            counts[status === "active" ? "entered" : "withdrawn"] += 1
          }
          return {
            challengers: rows.flatMap(({ model, status, account_id, at }): ReadonlyArray<Challenger> => {
              if (status === "withdrawn") return []
              const until = withdrawnAt.get(model)
              const modelSums = getOrMake(sums, model, Challengers.empty)
              const accountModels = numbers.get(account_id)!
              return [{ model, since: at, ...ifDefined("withdrawnAt", until), accountModels, sums: modelSums }]
            }),
            ...(settledAt === undefined ? {} : { settledAt }),
          }
        }),
      }
    }),
  )
