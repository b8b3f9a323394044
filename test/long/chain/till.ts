import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { offered, openedOf, orderOf, payments } from "./paying.ts"
import { type Call, type Fate, proxy } from "./proxy.ts"
import { type World, world } from "./world.ts"

export const promised = <A>(work: () => Promise<A>): Effect.Effect<A> => Effect.promise(work)

/** One fate for the calls of one method. */
export const at =
  (method: string, fate: Fate) =>
  (call: Call): Fate =>
    call.method === method ? fate : "pass"

/** An adapter on a chain of its own, behind a node that can fail and whose URL holds a secret. */
export const till = async () => {
  const on = await world()
  const node = await proxy(on.url)
  const adapter = await payments(on, { rpcUrl: Redacted.make(`${node.url}/v2/s3cret`) })

  /** A payment of 1,000 units that is read and not taken, its order, and the payer. */
  const given = (by = adapter, changed: Parameters<World["sign"]>[2] = {}) =>
    Effect.gen(function* () {
      const payer = yield* promised(() => on.payer(1_000n))
      const signed = yield* promised(() => on.sign(payer, 1_000n, changed))
      const offer = yield* offered(by, signed, 1_000)
      const order = orderOf(1_000)
      return { payer, signed, offer, order, look: by.look(order, openedOf(offer)) }
    })

  /** Runs an effect while the node fails, and counts its calls anew. */
  const failing = <A, E>(fate: (call: Call) => Fate, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      node.fate = fate
      node.calls.length = 0
      return effect
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          node.fate = () => "pass"
          node.resume()
        }),
      ),
    )

  /** Runs an effect while no block is mined but by request. */
  const slow = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.acquireUseRelease(
      promised(() => on.rpc("evm_setAutomine", false)),
      () => effect,
      () => promised(async () => [await on.rpc("evm_setAutomine", true), await on.rpc("evm_mine")]),
    )

  return {
    on,
    node,
    adapter,
    given,
    failing,
    slow,
    received: promised(() => on.balance(on.payTo)),
    /** Transactions that the node was given. */
    sent: () => node.calls.filter(({ method }) => method === "eth_sendRawTransaction").length,
    stop: (): Promise<void> => {
      node.stop()
      return on.stop()
    },
  }
}

export type Till = Awaited<ReturnType<typeof till>>
