import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { display, type MicroUsd } from "../account/Money.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import { topUpPath } from "../account/Quote.ts"
import * as Ulid from "../account/Ulid.ts"
import { BaseUrl } from "../call/BaseUrl.ts"
import { type Failure, fail, invalid } from "../Failure.ts"
import { day } from "../time.ts"
import { type Fact, firstFact, type Order, topUpLimits } from "./Order.ts"
import { type Noted, OrderStore, type OrderWithFacts } from "./OrderStore.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import type { ProofHeaders, ProviderBooks, TopUp } from "./TopUp.ts"

/** The result of a comparison with the providers' books. */
export interface Reconciled {
  /** Number of orders that were compared. */
  readonly looked: number
  /** Number of facts whose proof had not arrived. */
  readonly added: number
  readonly creditedMicros: number
  readonly takenBackMicros: number
  /** Orders paid with another amount or currency than asked for: the operator decides. */
  readonly mismatched: ReadonlyArray<string>
  /** Orders whose provider did not answer or is not configured any more, and those that failed. */
  readonly unanswered: ReadonlyArray<string>
}

/** Days after which the provider is no longer asked about an unpaid order. */
const unpaidDays = 35

/** The longest time for which a credited order is compared with the provider's books, days. */
export const paidDays = 150

/** Payments into wallets: orders, their proofs, and the comparison with the providers' books. */
export class Payments extends Context.Tag("market-signals/core/payment/Payments")<
  Payments,
  {
    /** The ways to pay on a page. */
    readonly ways: ReadonlyArray<Pick<TopUp, "provider" | "label" | "origin">>
    /**
     * Begins an order and opens the page to pay on.
     *
     * @param provider absent: the first
     * @param origin where the browser sees this service, and comes back to; absent: its base URL
     */
    readonly begin: (order: {
      readonly accountId: string
      readonly provider?: string | undefined
      readonly micros: MicroUsd
      readonly origin?: string | undefined
    }) => Effect.Effect<{ readonly order: Order; readonly url: string }, Failure>
    /** Takes a message that claims to be a provider's. Returns the orders that it is about. */
    readonly receive: (
      provider: string,
      headers: ProofHeaders,
      body: Uint8Array,
    ) => Effect.Effect<ReadonlyArray<Noted>, Failure>
    /** Appends facts of an order and updates the wallet by them; undefined: there is no such order. */
    readonly note: (orderId: string, facts: ReadonlyArray<Fact>) => Effect.Effect<Noted | undefined, Failure>
    /** Compares an order with the provider's books and appends new facts. */
    readonly look: (order: OrderWithFacts) => Effect.Effect<Noted, Failure>
    /** Asks about the orders without a proof, or about all that may still change. */
    readonly reconcile: (scope: "unproven" | "all") => Effect.Effect<Reconciled, Failure>
    readonly page: OrderStore["Type"]["page"]
    readonly find: OrderStore["Type"]["find"]
  }
>() {
  static readonly layer: Layer.Layer<Payments, never, BaseUrl | OrderStore | PlatformCrypto | PaymentProviders> =
    Layer.suspend(() => Layer.effect(Payments, make))

  /** No provider and no orders: only the operator credits wallets. */
  static readonly layerNone: Layer.Layer<Payments> = Layer.suspend(() =>
    Layer.succeed(Payments, {
      ways: [],
      begin: () => unknownProvider([]),
      receive: () => unknownProvider([]),
      note: () => Effect.succeed(undefined),
      look: () => unknownProvider([]),
      reconcile: () =>
        Effect.succeed({ looked: 0, added: 0, creditedMicros: 0, takenBackMicros: 0, mismatched: [], unanswered: [] }),
      page: () => Effect.succeed([]),
      find: () => Effect.succeed(undefined),
    }),
  )
}

const unknownProvider = (ways: ReadonlyArray<TopUp>): Failure =>
  ways.length === 0
    ? fail("not_found", {
        detail: "This installation has no payment provider.",
        hints: [{ field: "provider", action: "contact", suggestion: "Ask the operator to credit the wallet." }],
      })
    : invalid("provider", `provider must be one of ${ways.map(({ provider }) => provider).join(", ")}.`)

/** Orders of one page of a comparison, and those compared at a time. */
const pageSize = 100
const concurrency = 4

const makeNote = (store: OrderStore["Type"], newId: Ulid.NewId): Payments["Type"]["note"] =>
  Effect.fn("Payments.note")(function* (orderId, facts) {
    const at = yield* Clock.currentTimeMillis
    const noted = yield* store.note({ orderId, facts, reversalId: yield* newId("txn", at), at })
    if (noted === undefined || noted.added === 0) return noted
    if (noted.state === "mismatched") {
      yield* Effect.logError("A payment does not match its order: not credited").pipe(
        Effect.annotateLogs({ order: orderId, provider: noted.provider }),
      )
    }
    if (noted.missing > 0) {
      yield* Effect.logWarning("A payment was taken back, and the wallet does not cover it: account suspended").pipe(
        Effect.annotateLogs({ order: orderId, account: noted.accountId, missing_micros: noted.missing }),
      )
    }
    return noted
  })

const logDefect =
  ({ id }: OrderWithFacts) =>
  (defect: unknown) =>
    Effect.zipRight(
      Effect.logError(`The order ${id} cannot be compared with its provider's books`, defect),
      fail("internal_error"),
    )

type Scope = Parameters<Payments["Type"]["reconcile"]>[0]

/** Whether an order may have changed in the provider's books. */
const mayChange = (order: OrderWithFacts, scope: Scope, now: number, watchedDays: number): boolean => {
  const age = now - order.createdAt
  if (order.state === "open") return age <= unpaidDays * day
  if (scope === "unproven") return false
  // A payment that ended may still arrive.
  if (order.state === "ended") return age <= unpaidDays * day
  return age <= watchedDays * day
}

/** @param watchedDays of a provider's paid orders */
const makeReconcile = (
  store: OrderStore["Type"],
  look: Payments["Type"]["look"],
  watchedDays: (provider: string) => number,
): Payments["Type"]["reconcile"] =>
  Effect.fn("Payments.reconcile")(function* (scope) {
    const now = yield* Clock.currentTimeMillis
    const mismatched: Array<string> = []
    const unanswered: Array<string> = []
    let [looked, added, creditedMicros, takenBackMicros] = [0, 0, 0, 0]
    const compare = (order: OrderWithFacts) =>
      // One order that cannot be processed must not stop the others.
      Effect.match(Effect.catchAllDefect(look(order), logDefect(order)), {
        onFailure: () => void unanswered.push(order.id),
        onSuccess: (noted) => {
          looked++
          added += noted.added
          creditedMicros += noted.creditedMicros - order.creditedMicros
          takenBackMicros += noted.takenBackMicros - order.takenBackMicros
          if (noted.state === "mismatched") mismatched.push(order.id)
        },
      })
    const days = scope === "all" ? paidDays : unpaidDays
    let after = `txn_${Ulid.encode(Math.max(0, now - days * day), new Uint8Array(10))}`
    for (;;) {
      const orders = yield* store.opened({ after, limit: pageSize })
      yield* Effect.forEach(
        orders.filter((order) => mayChange(order, scope, now, watchedDays(order.provider))),
        compare,
        { concurrency, discard: true },
      )
      const last = orders.at(-1)
      if (last === undefined || orders.length < pageSize) break
      after = last.id
    }
    return { looked, added, creditedMicros, takenBackMicros, mismatched, unanswered }
  })

const make = Effect.gen(function* () {
  const store = yield* OrderStore
  const { randomBytes } = yield* PlatformCrypto
  const { topUps, calls } = yield* PaymentProviders
  const { baseUrl } = yield* BaseUrl
  const books = new Map<string, ProviderBooks>(
    [...topUps, ...(calls === undefined ? [] : [calls])].map((of) => [of.provider, of]),
  )

  const newId = Ulid.makeNewId(randomBytes)

  const note = makeNote(store, newId)

  const look = Effect.fn("Payments.look")(function* (order: OrderWithFacts) {
    const provider = books.get(order.provider)
    const opened = firstFact(order, "opened")
    if (provider === undefined || opened === undefined) {
      return yield* fail("upstream_unavailable", { detail: `No provider can be asked about the order ${order.id}.` })
    }
    return (yield* note(order.id, yield* provider.look(order, opened)))!
  })

  return Payments.of({
    ways: topUps.map(({ provider, label, origin }) => ({ provider, label, origin })),
    begin: Effect.fn("Payments.begin")(function* ({ accountId, provider, micros, origin = baseUrl }) {
      const way = provider === undefined ? topUps[0] : topUps.find((each) => each.provider === provider)
      if (way === undefined) return yield* unknownProvider(topUps)
      if (micros < topUpLimits.least || micros > topUpLimits.most || micros % 10_000 !== 0) {
        return yield* invalid(
          "micros",
          `The amount must be ${display(topUpLimits.least)} to ${display(topUpLimits.most)}, in whole cents.`,
        )
      }
      const createdAt = yield* Clock.currentTimeMillis
      const order: Order = { id: yield* newId("txn", createdAt), accountId, provider: way.provider, micros, createdAt }
      // The page first: nobody knows its address before the order is written, so nobody can pay an unknown order.
      const page = `${origin}${topUpPath}`
      const opened = yield* way.begin(order, {
        paid: `${page}?order=${order.id}`,
        cancelled: `${page}?left=${order.id}`,
      })
      if ((yield* store.insert(order, opened))._tag !== "Inserted")
        return yield* Effect.dieMessage(`Two orders have the page ${opened.reference}.`)
      return { order, url: opened.url }
    }),
    receive: Effect.fn("Payments.receive")(function* (provider, headers, body) {
      const way = topUps.find((each) => each.provider === provider)
      if (way === undefined) return yield* fail("not_found", { detail: "This payment provider is not configured." })
      const noted: Array<Noted> = []
      for (const { orderId, fact } of yield* way.proof(headers, body)) {
        const order = yield* store.find(orderId)
        // It belongs to another installation that shares the provider's account.
        if (order?.provider !== provider) continue
        noted.push((yield* note(orderId, [fact]))!)
      }
      return noted
    }),
    note,
    look,
    reconcile: makeReconcile(store, look, (provider) => books.get(provider)?.watchedDays ?? 0),
    page: store.page,
    find: store.find,
  })
})
