// The record at each of some sizes, in a store on disk: the cost of appending, proving, signing and verifying.
import { statSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as hasher from "../../../adapters/runtime/node/hasher.ts"
import * as signer from "../../../adapters/runtime/node/signer.ts"
import * as sqlite from "../../../adapters/store/engine/sqlite/open.ts"
import * as recordLog from "../../../adapters/store/record/RecordLog.ts"
import { verify } from "../../../adapters/web/record/verifier.mjs"
import * as record from "../../../core/record/log/exported.ts"
import * as merkle from "../../../core/record/log/merkle.ts"
import * as proofs from "../../../core/record/log/proofs.ts"
import { RecordLog } from "../../../core/record/log/RecordLog.ts"
import { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import { signCheckpoint } from "../../../core/record/log/signCheckpoint.ts"
import { define } from "../driver.ts"
import { capture } from "../fills.ts"
import { median, quantile, times } from "../measure.ts"

const page = 1_000

export const load = define(
  { sizes: ["10000,100000,1000000", "3000,6000"] },
  async ({ options: { sizes }, folder, row }) => {
    const file = join(folder, "store.db")
    const runtime = ManagedRuntime.make(
      Layer.merge(recordLog.layer, signer.layerMemory("bench.example/record")).pipe(
        Layer.provideMerge(Layer.merge(sqlite.layer(file), hasher.layer)),
      ),
    )
    const log = await runtime.runPromise(RecordLog)
    const { sha256 } = await runtime.runPromise(SyncSha256)
    const seconds = async (work: () => Promise<unknown>): Promise<number> => (await times(1, work))[0]! / 1_000
    /** Appends in pages from the log's current size. */
    const grow = async (size: number): Promise<void> => {
      for (let from = await runtime.runPromise(log.size); from < size; from += page) {
        const leaves = Array.from({ length: Math.min(page, size - from) }, (_, at) => capture(from + at))
        await runtime.runPromise(log.append(leaves))
      }
    }
    /** Appends leaf by leaf from 64 concurrent callers, each durable before its answer. */
    const singly = (from: number, count: number): Promise<void> =>
      runtime.runPromise(
        Effect.forEach(
          Array.from({ length: count }, (_, at) => capture(from + at)),
          (leaf) => log.append([leaf]),
          { concurrency: 64, discard: true },
        ),
      )
    /** Microseconds a proof, at positions across the log; their verification is not timed. */
    const prove = async (size: number, count: number): Promise<ReadonlyArray<number>> => {
      const all: Array<number> = []
      for (let n = 0; n < count; n++) {
        const position = (n * 2_654_435_761) % size
        const begun = performance.now()
        const proof = await runtime.runPromise(proofs.inclusion(position, size))
        all.push((performance.now() - begun) * 1e3)
        const { hash } = (await runtime.runPromise(log.leafAt(position)))!
        if (!merkle.verifyInclusion(sha256, hash, position, size, proof.hashes, proof.root)) {
          throw new Error(`The proof of leaf ${position} of ${size} is not valid.`)
        }
      }
      return all.slice(count / 5)
    }
    async function* exported(size: number): AsyncGenerator<Uint8Array> {
      for (let from = 0; from < size; from += page) {
        const to = Math.min(size, from + page)
        for (const line of await runtime.runPromise(record.lines(from, to, record.afterEveryClose))) {
          yield Buffer.from(line)
        }
      }
    }
    const all = sizes.split(",").map(Number)
    for (const size of all) {
      const start = await runtime.runPromise(log.size)
      const single = Math.min(2_000, size - start)
      const paged = await seconds(() => grow(size - single))
      const alone = await seconds(() => singly(size - single, single))
      const signing = await seconds(() => runtime.runPromise(signCheckpoint))
      const proven = await prove(size, 5_000)
      const verifying = await seconds(async () => {
        const report = await verify(exported(size))
        if (!report.intact || report.covered !== size) throw new Error("The export is not valid.")
      })
      await runtime.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`PRAGMA wal_checkpoint(TRUNCATE)`))
      row(
        `${size} leaves`,
        {
          "appended/s": (size - single - start) / paged,
          "one by one/s": single / alone,
          "proof µs": median(proven),
          "p99 µs": quantile(proven, 0.99),
          "checkpoint ms": signing * 1_000,
          "verify s": verifying,
          "bytes a leaf": statSync(file).size / size,
        },
        size === all.at(-1) ? { "proof µs": { most: 1_000 } } : {},
      )
    }
    await runtime.dispose()
  },
)
