import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type GroupPage,
  mostSpans,
  nextSpanStart,
  type Span,
  spanStart,
  spans,
  Usage,
  type UsageQuery,
  type UsageSum,
} from "../../../core/account/Usage.ts"
import { invalid } from "../../../core/Failure.ts"
import { day } from "../../../core/time.ts"
import { Transactions } from "../engine/Transactions.ts"
import { type Folds, folds } from "../money/folds.ts"
import * as Moves from "../trail/usageMoves.ts"
import * as Sums from "./usageSums.ts"

/** The dearest first, then those with most calls. What is alike is in the order of the names, as it came. */
const inOrder = (one: UsageSum, other: UsageSum): number => other.charged - one.charged || other.calls - one.calls

const make = (transactions: Transactions["Type"], { flush }: Folds, size?: Moves.Size) => {
  const { write, snapshot } = transactions
  const moves = Moves.make(transactions, size)
  const collect = Sums.make(transactions, moves)

  /** Sums of whole spans up to the last call. */
  const readSums = (accountId: string, { from, to, span, livemode }: UsageQuery, parts: ReadonlyArray<Sums.Part>) => {
    const most = mostSpans[span]
    if (!(from >= 0 && to >= from && to - from <= most * spans[span])) {
      return invalid("to", `to must not be before from, nor more than ${most} ${span}s after it.`)
    }
    const range = { from: spanStart(span, from), to: nextSpanStart(span, to), livemode }
    return Effect.zipRight(flush(accountId), snapshot(collect(accountId, range, parts)))
  }

  return {
    move: Effect.flatMap(Clock.currentTimeMillis, (now) => write(() => moves.slice(now))),
    sums: (accountId: string, query: UsageQuery) =>
      Effect.map(readSums(accountId, query, [{ kind: query.group, span: query.span }]), ([sums]) => sums!),
    totals: (accountId: string, query: UsageQuery, { skip, limit, inSpans = 0 }: GroupPage) => {
      const { from, to, group } = query
      const span: Span = query.span === "hour" && from % day === 0 && to % day === 0 ? "day" : query.span
      const names = ([, groups]: ReadonlyArray<ReadonlyArray<UsageSum>>) =>
        groups!
          .toSorted(inOrder)
          .slice(0, inSpans)
          .map(({ group }) => group)
      return Effect.map(
        readSums(accountId, query, [
          { kind: "status", span: query.span },
          { kind: group, span, isWhole: true },
          ...(inSpans > 0 ? [{ kind: group, span: query.span, names }] : []),
        ]),
        ([spans, groups, first = []]) => ({
          spans: spans!,
          groups: groups!
            .toSorted(inOrder)
            .slice(skip, skip + limit)
            .map(({ at: _, ...total }) => total),
          inSpans: first,
          groupCount: groups!.length,
        }),
      )
    },
  }
}

/** @param stepSize of the slices in which sums become those of longer spans; absent: the store's */
export const layerWith = (size?: Moves.Size): Layer.Layer<Usage, never, Transactions> =>
  Layer.effect(
    Usage,
    Effect.zipWith(Transactions, folds, (transactions, tables) => make(transactions, tables, size)),
  )

export const layer: Layer.Layer<Usage, never, Transactions> = layerWith()
