import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import { withAccount } from "../../../core/lanes/account/Account.ts"
import type { Counting } from "../../../core/telemetry/Meter.ts"
import { byLabel, counter, Distribution, type Family, histogram } from "./exposition.ts"

/** Upper ends of the ranges of times, milliseconds: from calls that are answered from memory to an upstream's time limit. */
const times = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000]
const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

const millis = 1_000

/** The label for endpoint and lane of requests without an endpoint. */
const noEndpoint = "none"

/** An endpoint's counts; `calls` by status. */
const makeEndpointCounts = (lane: string) => ({
  ...{ lane, calls: new Map<number, number>(), latency: new Distribution(times), micros: 0 },
})

/** An upstream's counts; `ends` by outcome. */
const makeUpstreamCounts = () => ({ ends: new Map<string, number>(), latency: new Distribution(times) })

const addOne = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

export interface Counts extends Counting {
  readonly families: () => ReadonlyArray<Family>
}

/** The counts since the process began, with those of each endpoint. */
const makeTotals = (catalogue: Catalogue.Any) => ({
  endpoints: new Map(
    withAccount(catalogue).entries.map(({ endpoint, lane }) => [endpoint.id, makeEndpointCounts(lane.name)] as const),
  ),
  others: makeEndpointCounts(noEndpoint),
  upstreams: new Map<string, ReturnType<typeof makeUpstreamCounts>>(),
  batches: new Distribution(sizes),
  commits: new Distribution(times),
  undone: 0,
  /** Transactions of payments, by outcome. */
  payments: new Map<string, number>(),
  gas: 0,
  fees: 0,
  withoutGas: 0,
  wrongTokens: 0,
})

type Totals = ReturnType<typeof makeTotals>

const sumByLane = ({ endpoints }: Totals): ReadonlyMap<string, number> => {
  const charged = new Map<string, number>()
  for (const { lane, micros } of endpoints.values()) charged.set(lane, (charged.get(lane) ?? 0) + micros)
  return charged
}

const makeCallFamilies = (totals: Totals): ReadonlyArray<Family> => {
  const called = [...totals.endpoints, [noEndpoint, totals.others] as const].filter(([, { calls }]) => calls.size > 0)
  return [
    {
      name: "market_signals_calls_total",
      help: "Replies by endpoint, lane and HTTP status; over MCP the status that HTTP would have.",
      type: "counter",
      samples: called.flatMap(([endpoint, { lane, calls }]) =>
        [...calls].map(([status, value]) => ({ labels: { endpoint, lane, status: String(status) }, value })),
      ),
    },
    byLabel(
      "counter",
      "market_signals_charged_micros_total",
      "Charged millionths of a US dollar.",
      "lane",
      sumByLane(totals),
    ),
    histogram(
      "market_signals_call_duration_seconds",
      "Time from a request's arrival at the gateway to its reply, the charge included.",
      called.flatMap(([endpoint, { latency }]) => latency.samples({ endpoint }, millis)),
    ),
  ]
}

const families = (totals: Totals): ReadonlyArray<Family> => {
  const asked = [...totals.upstreams]
  return [
    ...makeCallFamilies(totals),
    histogram(
      "market_signals_commit_batch_size",
      "Writes that shared one transaction of the ledger.",
      totals.batches.samples(),
    ),
    histogram(
      "market_signals_commit_duration_seconds",
      "Time of such a transaction, until it was on disk.",
      totals.commits.samples({}, millis),
    ),
    counter(
      "market_signals_commit_undone_total",
      "Such transactions that failed; their writes are tried again, alone or later.",
      totals.undone,
    ),
    {
      name: "market_signals_upstream_requests_total",
      help: "Attempts of requests to sources of data, by how they ended.",
      type: "counter",
      samples: asked.flatMap(([upstream, { ends }]) =>
        [...ends].map(([outcome, value]) => ({ labels: { upstream, outcome }, value })),
      ),
    },
    histogram(
      "market_signals_upstream_duration_seconds",
      "Time of such an attempt.",
      asked.flatMap(([upstream, { latency }]) => latency.samples({ upstream }, millis)),
    ),
    byLabel(
      "counter",
      "market_signals_payment_transactions_total",
      "Our transactions that carry payments to the chain, by outcome: a reverted one costs gas and brings nothing.",
      "outcome",
      totals.payments,
    ),
    counter(
      "market_signals_admin_wrong_tokens_total",
      "Requests to the admin API with a wrong token.",
      totals.wrongTokens,
    ),
    counter("market_signals_payment_gas_total", "Units of gas that they took.", totals.gas),
    counter("market_signals_payment_fees_wei_total", "Fees of that gas, in the chain's smallest unit.", totals.fees),
    counter(
      "market_signals_payment_without_gas_total",
      "Payments that were refused because the gas for the hour (X402_GAS_PER_HOUR) was used up.",
      totals.withoutGas,
    ),
  ]
}

/** Counts in memory since the process began. */
export const make = (catalogue: Catalogue.Any): Counts => {
  const totals = makeTotals(catalogue)
  const { endpoints, others, upstreams, batches, commits, payments } = totals
  return {
    now: () => performance.now(),
    answered: (endpointId, status, micros, since) => {
      const counts = (endpointId === undefined ? undefined : endpoints.get(endpointId)) ?? others
      addOne(counts.calls, status)
      counts.micros += micros
      counts.latency.add(performance.now() - since)
    },
    committed: (items, since, isDurable) => {
      if (!isDurable) return void totals.undone++
      batches.add(items)
      commits.add(performance.now() - since)
    },
    asked: (name, outcome, since) => {
      const counts = getOrMake(upstreams, name, makeUpstreamCounts)
      addOne(counts.ends, outcome)
      counts.latency.add(performance.now() - since)
    },
    sentPayment: (isReverted, units, fee) => {
      addOne(payments, isReverted ? "reverted" : "paid")
      totals.gas += units
      totals.fees += fee
    },
    reportWrongToken: () => void totals.wrongTokens++,
    withoutGas: () => void totals.withoutGas++,
    families: () => families(totals),
  }
}
