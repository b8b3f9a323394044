import { connect } from "node:net"
import { assert } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ledger } from "../../../../core/account/Ledger.ts"
import * as Controlled from "./controlled.ts"

type Moment = Deferred.Deferred<void>
export const moment = (): Moment => Effect.runSync(Deferred.make<void>())
export const reached = (awaited: Moment): Promise<void> => Effect.runPromise(Deferred.await(awaited))
export const pass = (awaited: Moment): Promise<boolean> => Effect.runPromise(Deferred.succeed(awaited, undefined))

/** A call that reports its start, waits to be released, and reports an interruption. */
export const slow = () => {
  const began = moment()
  const release = moment()
  const interrupted = moment()
  return {
    began,
    release,
    interrupted,
    paid: () =>
      Deferred.succeed(began, undefined).pipe(
        Effect.zipRight(Deferred.await(release)),
        Effect.as(Controlled.word),
        Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined)),
      ),
  }
}

/** A wallet that waits for a signal before it writes a charge. */
export const wallet = (before: Effect.Effect<unknown>): Layer.Layer<Ledger> =>
  Layer.effect(
    Ledger,
    Effect.map(Ledger, (ledger) => ({
      ...ledger,
      charge: (asked) => Effect.zipRight(before, ledger.charge(asked)),
    })),
  ).pipe(Layer.provide(Ledger.layerMemory([["acct", 10_000]])))

/** Whether a new connection is accepted. */
const accepts = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

/** Resolves when new connections are rejected. */
export const refused = async (url: string): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) if (!(await accepts(url))) return
  assert.fail("New connections are still taken.")
}
