import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../core/ifDefined.ts"
import {
  type Buyer,
  type Captured,
  Captures,
  isRepeated,
  readLeaf,
  toLeaf,
} from "../../../core/record/captures/Captures.ts"
import type { Text } from "../../../core/record/captures/RecordInputs.ts"
import type { Sha256 } from "../../../core/record/log/merkle.ts"
import { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import * as Step from "../../../core/Step.ts"
import { makeInserts } from "../engine/manyRows.ts"
import { type Queries, Transactions } from "../engine/Transactions.ts"
import * as recordInputs from "./RecordInputs.ts"
import * as recordLog from "./RecordLog.ts"

/** A capture ready to be written. Its texts are made before the transaction, since that may fail. */
export interface WritableCapture<A extends Captured = Captured> {
  readonly captured: A
  readonly leaf: recordLog.WritableLeaf
  /** JSON of each contract, in order. */
  readonly contracts: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<Text>
}

export const toWritable = <A extends Captured>(captured: A): WritableCapture<A> => ({
  captured,
  leaf: recordLog.toWritable(toLeaf(captured.capture)),
  contracts: captured.contracts.map((contract) => JSON.stringify(contract)),
  inputs: recordInputs.toTexts(captured.inputs),
})

interface BuyerRow {
  readonly id: string
  readonly account_id: string
  readonly agent_id: string | null
}

const toBuyer = ({ account_id, agent_id }: BuyerRow): Buyer => ({
  accountId: account_id,
  ...ifDefined("agentId", agent_id ?? undefined),
})

/** SQL: captures with their buyer, the account of the key. */
const boughtCaptures = `
  SELECT c.id, c.request_id, c.agent_id, k.account_id FROM captures c JOIN api_keys k ON k.id = c.key_id`

const prepareAll = (store: Queries) => ({
  insert: store.prepare(`
      INSERT INTO captures (id, lane, endpoint, subject, kind, at, request_id, key_id, agent_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`),
  last: store.prepare<{ readonly text: string }>(`
      SELECT l.text FROM captures c JOIN record_leaves l ON l.id = c.id
      WHERE c.lane = ? AND c.endpoint = ? AND c.subject = ? ORDER BY c.at DESC, l.position DESC LIMIT 1`),
  contracts: makeInserts(store, "captured_contracts", [
    "venue",
    "ticker",
    "capture_id",
    "at",
    "close_time",
    "contract",
  ]),
  track: makeInserts(
    store,
    "tracked_contracts",
    ["venue", "ticker", "domain", "close_time"],
    "ON CONFLICT (venue, ticker) DO UPDATE SET close_time = excluded.close_time",
  ),
  ofCall: store.prepare<BuyerRow>(`SELECT * FROM (${boughtCaptures}) AS b WHERE request_id = ?`),
  buyerOf: store.prepare<BuyerRow>(`
      SELECT id, account_id, agent_id FROM (${boughtCaptures}) AS b WHERE id = ?
      UNION ALL
      SELECT o.id, m.account_id, o.agent_id
      FROM bench_opinions o JOIN bench_models m ON m.model = o.model AND m.status = 'active' WHERE o.id = ?`),
})

/** Writes the contracts of captures, and tracks them. */
const makeFollow = (sql: Pick<ReturnType<typeof prepareAll>, "contracts" | "track">) =>
  Step.fn(function* (taken: ReadonlyArray<WritableCapture>) {
    const priced = taken.flatMap(({ captured: { capture, contracts }, contracts: texts }) =>
      contracts.map((contract, index) => ({ ...contract, capture, text: texts[index]! })),
    )
    yield* sql.contracts.run(
      priced.map(({ venue, ticker, capture: { id, at }, closeTime, text }) => [venue, ticker, id, at, closeTime, text]),
    )
    // Each contract once, since a statement may change a row only once.
    const tracked = new Map(
      priced.map(({ venue, ticker, domain, closeTime }) => [
        JSON.stringify([venue, ticker]),
        [venue, ticker, domain, closeTime] as const,
      ]),
    )
    yield* sql.track.run([...tracked.values()])
  })

/**
 * Writes and reads of captures, as steps, so that the ledger can write a capture in the transaction of its charge. A capture,
 * its leaf, inputs and contracts are written together. Only the leaf has the content of a capture.
 */
export const makeSteps = (store: Queries, sha256: Sha256) => {
  const log = recordLog.makeSteps(store, sha256)
  const inputs = recordInputs.makeSteps(store)
  const sql = prepareAll(store)
  const follow = makeFollow(sql)

  /** Writes new captures. Returns their indexes in order. */
  const take = Step.fn(function* (offered: ReadonlyArray<WritableCapture>) {
    // Before the last capture of a subject is read, since other transactions write captures too.
    yield* log.lock()
    const fresh: Array<number> = []
    const taken: Array<WritableCapture> = []
    let appended = 0
    const append = () => {
      const leaves = taken.slice(appended).map(({ leaf }) => leaf)
      appended = taken.length
      return log.appendLocked(leaves)
    }
    for (const [index, each] of offered.entries()) {
      const { capture, once } = each.captured
      const { id, lane, endpoint, subject, kind, at, bought } = capture
      if (once) {
        // The last capture of the subject may be one of these.
        yield* append()
        const previous = yield* sql.last.get(lane, endpoint, subject)
        if (previous !== undefined && isRepeated(capture, readLeaf(previous.text))) continue
      }
      const by = [bought?.requestId ?? null, bought?.keyId ?? null, bought?.agentId ?? null]
      if ((yield* sql.insert.run(id, lane, endpoint, subject, kind, at, ...by)) === 0) continue
      fresh.push(index)
      taken.push(each)
    }
    yield* inputs.put(taken.flatMap(({ inputs: texts }) => texts))
    yield* follow(taken)
    yield* append()
    return fresh
  })

  return {
    /** Returns the captures that are new. */
    append: <A extends Captured>(offered: ReadonlyArray<WritableCapture<A>>): Step.Step<ReadonlyArray<A>, SqlError> =>
      offered.length === 0
        ? Exit.succeed<ReadonlyArray<A>>([])
        : Step.andThen(take(offered), (fresh) => Exit.succeed(fresh.map((index) => offered[index]!.captured))),
    /** Call it when the transaction that wrote them is durable. */
    reached: (offered: ReadonlyArray<WritableCapture>): void => {
      for (const { inputs: texts } of offered) inputs.reached(texts)
    },
    ofCall: Step.fn(function* (requestId: string) {
      const row = yield* sql.ofCall.get(requestId)
      return row && { id: row.id, ...toBuyer(row) }
    }),
    buyerOf: Step.fn(function* (id: string) {
      const row = yield* sql.buyerOf.get(id, id)
      return row && toBuyer(row)
    }),
  }
}

/** Captures of jobs, and the buyers of the captures of calls. */
export const layer: Layer.Layer<Captures, never, SyncSha256 | Transactions> = Layer.effect(
  Captures,
  Effect.gen(function* () {
    const { read, write, ...store } = yield* Transactions
    const { sha256 } = yield* SyncSha256
    const step = makeSteps(store, sha256)
    return {
      append: (captured) =>
        Effect.suspend(() => {
          if (captured.length === 0) return Effect.succeed([])
          const offered = captured.map(toWritable)
          return Effect.tap(
            write(() => step.append(offered)),
            // If any was skipped, its inputs may not have been written, so none is marked as stored.
            (taken) => Effect.sync(() => taken.length === offered.length && step.reached(offered)),
          )
        }),
      ofCall: (requestId) => read(() => step.ofCall(requestId)),
      buyerOf: (id) => read(() => step.buyerOf(id)),
    }
  }),
)
