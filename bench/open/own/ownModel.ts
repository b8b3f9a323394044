import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Queue from "effect/Queue"
import { BenchError } from "../compare/BenchError.ts"
import type { Contender } from "../compare/compare.ts"
import { decoder } from "../compare/decode.ts"
import { fieldNames, type Task } from "../compare/Task.ts"
import type { Reply, Sent } from "./modelThread.ts"

export interface Options {
  /** The compiled `modelThread`. */
  readonly thread: URL
  /** The longest time for one forecast, and for loading the module, seconds. */
  readonly seconds: number
}

const failure = (message: string) => new BenchError({ message })

/** A thread that ends with the scope; what it writes goes to the error output, so that a result on the output is whole. */
const threadOf = (thread: URL, sent: Sent) =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<Reply>()
    const worker = yield* Effect.acquireRelease(
      Effect.try({
        try: () => new Worker(thread, { workerData: sent, stdout: true, stderr: true }),
        catch: (error) => failure(`${sent.file}: ${String(error)}`),
      }),
      (worker) => Effect.promise(() => worker.terminate()),
    )
    worker.stdout.pipe(process.stderr, { end: false })
    worker.stderr.pipe(process.stderr, { end: false })
    worker.on("message", (reply: Reply) => Queue.unsafeOffer(queue, reply))
    worker.on("error", (error) => Queue.unsafeOffer(queue, { failed: String(error) }))
    worker.on("exit", (code) => Queue.unsafeOffer(queue, { failed: `its thread ended with ${code}.` }))
    return queue
  })

/**
 * The forecasts of a user's module, made in a thread of its own, which has no outcomes. The module exports
 * `forecast(question, history)`, or `start()` that returns one, and may have a `name` and a `version`; by name or as its
 * default. A forecast is plain data of the task's schema, or undefined for none.
 *
 * @returns fails with the row when the model throws, looks ahead, takes too long, or returns what is no forecast
 */
export const ownModel = <Question, Fact, Forecast, Outcome>(
  task: Task<Question, Fact, Forecast, Outcome>,
  file: string,
  { thread, seconds }: Options,
): Effect.Effect<Contender<Forecast>, BenchError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const decode = decoder(task)
      const asked = `. The question has: ${fieldNames(task.question as Readonly<Record<string, boolean>>)}.`
      const cases = task.cases.map(({ id, at, question }) => ({ id, at, question }))
      const queue = yield* threadOf(thread, { file, facts: task.facts, cases })
      const next = (where: string) =>
        Queue.take(queue).pipe(
          Effect.timeoutFail({
            duration: `${seconds} seconds`,
            onTimeout: () => failure(`${where}: the model took longer than ${seconds} s.`),
          }),
          Effect.flatMap((reply) =>
            "failed" in reply
              ? failure(
                  reply.id === undefined
                    ? `${where}: ${reply.failed}`
                    : `${file}, ${reply.id}: ${reply.failed}${asked}`,
                )
              : Effect.succeed(reply),
          ),
        )
      const begun = yield* next(file)
      const forecasts = new Map<string, Forecast>()
      for (const { id } of cases) {
        const reply = yield* next(`${file}, ${id}`)
        if (!("forecast" in reply) || reply.forecast === undefined) continue
        forecasts.set(
          id,
          yield* Either.mapLeft(decode(`${file}, ${id}`, reply.forecast), ({ message }) =>
            failure(`${message}${asked}`),
          ),
        )
      }
      const { name, version } = "name" in begun ? begun : { name: "own model", version: undefined }
      return { kind: "own" as const, name, version, forecasts }
    }),
  )
