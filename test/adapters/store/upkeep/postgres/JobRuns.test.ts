import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../../../../adapters/store/engine/postgres/open.ts"
import * as jobRuns from "../../../../../adapters/store/upkeep/JobRuns.ts"
import { aliveTimeoutMs, JobRuns } from "../../../../../core/jobs/JobRuns.ts"
import { begin } from "../../../../support/chaos/chaos.ts"
import type { Take } from "../../../../support/chaos/jobs.ts"
import * as Cutting from "../../../../support/cuttingProxy.ts"
import { database } from "../../../../support/postgres.ts"
import type * as processes from "../../../../support/processes.ts"
import { minute } from "../../../runtime/scheduler/jobs.ts"

type Node = Context.Context<JobRuns | SqlClient.SqlClient>

/** So many nodes, each with connections of its own, over one new database. */
const nodes = (count: number) =>
  Effect.flatMap(database, (url) =>
    Effect.forEach(Array.from({ length: count }), () =>
      Layer.build(Layer.provideMerge(jobRuns.layer, Postgres.layer(url))),
    ),
  )

/** Every node claims a slot at once; returns the tags in order. */
const contested = (all: ReadonlyArray<Node>, slot: number, now: number) =>
  Effect.map(
    Effect.forEach(
      all,
      (node) => Effect.flatMap(JobRuns, (runs) => runs.claim("a", slot, now)).pipe(Effect.provide(node)),
      {
        concurrency: "unbounded",
      },
    ),
    (claims) => ({
      tags: claims.map(({ _tag }) => _tag).sort(),
      won: claims.flatMap((claim) => (claim._tag === "Claimed" ? [claim.run] : [])),
    }),
  )

const changed = (node: Node, text: string) =>
  Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text)),
    node,
  )

const silenced = (node: Node) =>
  changed(node, `UPDATE job_runs SET alive_at = alive_at - ${aliveTimeoutMs + 1} WHERE finished_at IS NULL`)

const oneOf = (count: number) => [...Array.from({ length: count - 1 }, () => "Busy"), "Claimed"]

describe("nodes that share a run log", () => {
  it.scopedLive("claim each slot once, and take a silent run over once", () =>
    Effect.gen(function* () {
      const all = yield* nodes(4)
      const [node] = all as [Node]
      const { finish, recent } = yield* Effect.provide(JobRuns, node)
      const now = yield* Clock.currentTimeMillis
      for (let slot = now - 40; slot < now; slot++) {
        const first = yield* contested(all, slot, now)
        assert.deepStrictEqual(first.tags, oneOf(4))
        yield* silenced(node)
        const second = yield* contested(all, slot, now)
        assert.deepStrictEqual(second.tags, oneOf(4))
        assert.strictEqual(second.won[0]!.attempt, 2)
        assert.isFalse(yield* finish(first.won[0]!, { at: now, outcome: "ok", detail: "late" }))
        assert.isTrue(yield* finish(second.won[0]!, { at: now, outcome: "ok", detail: "" }))
        assert.deepStrictEqual((yield* contested(all, slot, now)).tags, ["Taken", "Taken", "Taken", "Taken"])
      }
      assert.lengthOf(yield* recent("a", 1_000), 40)
    }),
  )

  it.scopedLive("never run a job twice at a time, whichever slots they claim", () =>
    Effect.gen(function* () {
      const all = yield* nodes(4)
      const now = yield* Clock.currentTimeMillis
      for (let round = 1; round <= 40; round++) {
        // Each node claims a slot of its own: as if their clocks differed.
        const claims = yield* Effect.forEach(
          all,
          (node, n) =>
            Effect.flatMap(JobRuns, (runs) => runs.claim("a", now - 10 * round - n, now)).pipe(Effect.provide(node)),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(claims.map(({ _tag }) => _tag).sort(), oneOf(4))
        yield* silenced(all[0]!)
      }
    }),
  )

  it.scopedLive("keep a run alive or take it over, never both", () =>
    Effect.gen(function* () {
      const [holder, other] = (yield* nodes(2)) as [Node, Node]
      const runs = yield* Effect.provide(JobRuns, holder)
      const others = yield* Effect.provide(JobRuns, other)
      const now = yield* Clock.currentTimeMillis
      for (let round = 1; round <= 40; round++) {
        const claim = yield* runs.claim("a", now - 10 * round, now)
        assert(claim._tag === "Claimed")
        yield* silenced(holder)
        const [isAlive, next] = yield* Effect.all(
          [runs.alive(claim.run, now), others.claim("a", now - 10 * round + 1, now)],
          {
            concurrency: "unbounded",
          },
        )
        assert.strictEqual(isAlive, next._tag === "Busy", `round ${round}`)
        yield* silenced(holder)
      }
    }),
  )

  it.scopedLive("go by the store's clock, not by their own", () =>
    Effect.gen(function* () {
      const [node] = (yield* nodes(1)) as [Node]
      const runs = yield* Effect.provide(JobRuns, node)
      const now = yield* Clock.currentTimeMillis
      const ahead = now + 5 * minute
      const early = yield* runs.claim("a", ahead, ahead)
      assert.closeTo(early._tag === "Early" ? early.inMs : 0, 5 * minute, 20_000)
      const claim = yield* runs.claim("a", now, ahead)
      assert(claim._tag === "Claimed")
      // Five minutes later by another node's clock, which is wrong, the run is still alive.
      assert.strictEqual((yield* runs.claim("a", now, ahead))._tag, "Busy")
      yield* runs.finish(claim.run, { at: ahead, outcome: "ok", detail: "" })
      const [run] = yield* runs.recent("a", 1)
      for (const at of [run!.startedAt, run!.aliveAt, run!.finished!.at]) assert.closeTo(at, now, 20_000)
    }),
  )

  it.scopedLive(
    "take over the run of a process that was killed, stopped or cut off, which ends its own when it wakes up",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const runs = yield* Effect.provide(
          JobRuns,
          yield* Layer.build(jobRuns.layer.pipe(Layer.provide(Postgres.layer(url)))),
        )
        const slot = yield* Clock.currentTimeMillis
        const { proxy, url: through } = yield* Cutting.through(url)
        const process = (name: string, end: Take["end"], place = Redacted.value(url)) =>
          Effect.acquireRelease(
            Effect.promise(() => begin("take", place, { slot, name, end } satisfies Take)),
            (child) => Effect.sync(() => child.process.kill("SIGKILL")),
          )
        const lines = (child: processes.Child, count: number) => Effect.promise(() => child.linesUntil(1 + count))
        const first = [yield* process("killed", "hang"), yield* process("stopped", "hang")] as const
        const cutOff = yield* process("cut off", "tick", Redacted.value(through))
        for (const child of [...first, cutOff]) yield* lines(child, 1)
        const [killed, stopped] = first
        proxy.silence()
        const cutAt = performance.now()
        let tickedAt = 0
        cutOff.process.stdout.on("data", () => {
          if (cutOff.lines.at(-1) === "tick") tickedAt = performance.now()
        })
        killed.process.kill("SIGKILL")
        stopped.process.kill("SIGSTOP")
        const second = [
          yield* process("killed", "end"),
          yield* process("stopped", "end"),
          yield* process("cut off", "end"),
        ]
        for (const child of second) {
          yield* lines(child, 2)
          assert.deepStrictEqual(child.lines.slice(1), ["running", "Finished"])
        }
        stopped.process.kill("SIGCONT")
        yield* lines(stopped, 3)
        assert.deepStrictEqual(stopped.lines.slice(1), ["running", "Lost", "Taken"])
        assert.include(cutOff.lines, "tick")
        // It stops before another one takes over.
        assert.isBelow(tickedAt - cutAt, aliveTimeoutMs)
        for (const job of ["killed", "stopped", "cut off"]) {
          const [run, ...others] = yield* runs.recent(job, 10)
          assert.lengthOf(others, 0)
          assert.strictEqual(run!.attempt, 2)
          // From the last heartbeat of the first attempt: no sooner than 15 s.
          assert.isAtLeast(run!.startedAt, slot + aliveTimeoutMs)
        }
      }),
    60_000,
  )
})
