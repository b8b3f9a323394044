// The record at 10,000, 100,000 and 1,000,000 leaves in a store on disk: cost of appending, proving, signing and
// verifying. BENCH_DIR sets the store's folder, BENCH_SIZES the sizes (comma-separated).
// Exits 1 if the median inclusion proof at the last size takes 1 ms or more.
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as hasher from "../adapters/runtime/node/hasher.ts"
import * as signer from "../adapters/runtime/node/signer.ts"
import * as sqlite from "../adapters/store/engine/sqlite/open.ts"
import * as recordLog from "../adapters/store/record/RecordLog.ts"
import { verify } from "../adapters/web/record/verifier.mjs"
import * as record from "../core/record/log/exported.ts"
import type { Leaf } from "../core/record/log/leaf.ts"
import * as merkle from "../core/record/log/merkle.ts"
import * as proofs from "../core/record/log/proofs.ts"
import { RecordLog } from "../core/record/log/RecordLog.ts"
import { SyncSha256 } from "../core/record/log/SyncSha256.ts"
import { signCheckpoint } from "../core/record/log/signCheckpoint.ts"
import { progress } from "./progress.ts"

const sizes = (process.env["BENCH_SIZES"] ?? "10000,100000,1000000").split(",").map(Number)
const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "bench-record-"))
const file = join(folder, "store.db")

const runtime = ManagedRuntime.make(
  Layer.merge(recordLog.layer, signer.layerMemory("bench.example/record")).pipe(
    Layer.provideMerge(Layer.merge(sqlite.layer(file), hasher.layer)),
  ),
)

/** A capture of eleven strikes. */
const leafOf = (n: number): Leaf => ({
  id: `01K0BENCH${String(n).padStart(17, "0")}`,
  kind: "capture",
  at: 1_783_468_800_000 + n,
  lane: "crypto",
  subject: "BTC/60",
  body: {
    endpoint: "crypto_signal",
    model_version: "blend-t-2",
    output: {
      p_above: Array.from({ length: 11 }, (_, at) => ({ strike: 60_000 + at * 250, p_above: 1 / (at + 1.5) })),
    },
    inputs_hash: n.toString(16).padStart(64, "0"),
  },
})

const page = 1_000
const timed = async <A>(work: () => Promise<A>): Promise<readonly [seconds: number, value: A]> => {
  const start = performance.now()
  const value = await work()
  return [(performance.now() - start) / 1_000, value]
}

const log = await runtime.runPromise(RecordLog)
const { sha256 } = await runtime.runPromise(SyncSha256)

/** Appends in pages from the log's current size. */
const grow = async (size: number): Promise<void> => {
  for (let from = await runtime.runPromise(log.size); from < size; from += page) {
    const leaves = Array.from({ length: Math.min(page, size - from) }, (_, at) => leafOf(from + at))
    await runtime.runPromise(log.append(leaves))
    progress("leaves appended", from, size)
  }
}

/** Appends leaf by leaf from 64 concurrent callers, each durable before its answer: leaves per second. */
const singly = async (from: number, count: number): Promise<number> => {
  const [seconds] = await timed(() =>
    runtime.runPromise(
      Effect.forEach(
        Array.from({ length: count }, (_, at) => leafOf(from + at)),
        (leaf) => log.append([leaf]),
        { concurrency: 64, discard: true },
      ),
    ),
  )
  return count / seconds
}

/** Microseconds per proof, at positions across the log; verification is not timed. */
const proving = async (size: number, count: number): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  const warmUp = count / 4
  for (let n = 0; n < count + warmUp; n++) {
    const position = (n * 2_654_435_761) % size
    const [seconds, proof] = await timed(() => runtime.runPromise(proofs.inclusion(position, size)))
    if (n >= warmUp) times.push(seconds * 1e6)
    const { hash } = (await runtime.runPromise(log.leafAt(position)))!
    if (!merkle.verifyInclusion(sha256, hash, position, size, proof.hashes, proof.root)) {
      throw new Error(`The proof of leaf ${position} of ${size} is not valid.`)
    }
  }
  return times.sort((a, b) => a - b)
}

async function* exported(size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < size; from += page) {
    for (const line of await runtime.runPromise(
      record.lines(from, Math.min(size, from + page), record.afterEveryClose),
    ))
      yield Buffer.from(line)
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const at = (times: ReadonlyArray<number>, share: number): number => times[Math.floor(times.length * share)]!
const whole = (value: number): string => Math.round(value).toLocaleString("en-US")

let slowest = 0
try {
  say(
    "leaves | append in pages | one by one, 64 at once | inclusion proof, median (p99) | checkpoint | verify all | bytes a leaf",
  )
  for (const size of sizes) {
    const before = await runtime.runPromise(log.size)
    const single = Math.min(2_000, size - before)
    const [growing] = await timed(() => grow(size - single))
    const perSecond = await singly(size - single, single)
    const [signing] = await timed(() => runtime.runPromise(signCheckpoint))
    const times = await proving(size, 4_000)
    const [verifying, report] = await timed(() => verify(exported(size)))
    if (!report.intact || report.covered !== size) throw new Error("The export is not valid.")
    await runtime.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`PRAGMA wal_checkpoint(TRUNCATE)`))
    slowest = at(times, 0.5)
    say(
      [
        whole(size),
        `${whole((size - single - before) / growing)}/s`,
        `${whole(perSecond)}/s`,
        `${whole(slowest)} µs (${whole(at(times, 0.99))} µs)`,
        `${whole(signing * 1_000)} ms`,
        `${verifying.toFixed(1)} s`,
        whole(statSync(file).size / size),
      ].join(" | "),
    )
  }
} finally {
  await runtime.dispose()
  rmSync(folder, { recursive: true, force: true })
}
if (slowest >= 1_000) process.exitCode = 1
