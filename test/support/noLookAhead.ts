import { assert } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { compare, entered } from "../../bench/open/compare/compare.ts"
import type { Task } from "../../bench/open/compare/Task.ts"
import { walk } from "../../bench/open/compare/walk.ts"
import { type History, LookAhead } from "../../core/History.ts"

/**
 * Asserts that all forecasts of two tasks are the same to the bit for the questions up to a time, and that those of models
 * and baselines differ afterwards.
 *
 * @param other the same task with other results from that time on
 */
export const assertNoLookAhead = Effect.fnUntraced(function* <Q, F, A, O>(
  task: Task<Q, F, A, O>,
  other: Task<Q, F, A, O>,
  until: number,
) {
  const [found, expected] = [yield* entered(other), yield* entered(task)]
  const [before, after] = [true, false].map((early) => task.cases.filter(({ at }) => at <= until === early))
  assert.isAbove(before!.length, 20)
  assert.isAbove(after!.length, 20)
  for (const [at, { name, kind, forecasts }] of expected.entries()) {
    const changed = found[at]!.forecasts
    assert.isAbove(forecasts.size, 20, name)
    for (const { id } of before!) assert.deepStrictEqual(changed.get(id), forecasts.get(id), `${name}, ${id}`)
    const different = after!.filter(({ id }) => JSON.stringify(changed.get(id)) !== JSON.stringify(forecasts.get(id)))
    if (kind !== "market") assert.isNotEmpty(different, `${name} learns nothing`)
  }
})

const ways: Readonly<Record<string, (known: History<unknown>) => unknown>> = {
  "the fact after the newest": (known) => known.at(known.length),
  "a fact far ahead": (known) => known.at(known.length + 1_000),
  "facts until a moment later": (known) => known.until(known.asOf + 1),
  "facts until whenever": (known) => known.until(Number.POSITIVE_INFINITY),
}

/** Asserts that no way of asking for later facts leads to them. */
export const assertRefusesLater = Effect.fnUntraced(function* <Q, F, A, O>(task: Task<Q, F, A, O>) {
  for (const [name, ask] of Object.entries(ways)) {
    const asked = yield* Effect.exit(
      walk(task, (_, history): undefined => {
        ask(history)
      }),
    )
    const defect = Exit.isFailure(asked) ? Option.getOrUndefined(Cause.dieOption(asked.cause)) : undefined
    assert.instanceOf(defect, LookAhead, name)
  }
})

/** The figures of a comparison: group, score, contender, number of rows, value. */
export const figuresOf = <Q, F, A, O>(task: Task<Q, F, A, O>) =>
  Effect.map(compare(task, [], { seed: 1, replicates: 2 }), ({ comparison }) =>
    comparison.parts.flatMap(({ group, measures }) =>
      measures.flatMap(({ measure, rows, scores }) =>
        scores.map(({ contender, value }) => ({ group, measure, contender, rows, value })),
      ),
    ),
  )

/** What a forecast must not be, and the words of the refusal. */
export type BadForecast = readonly [what: string, forecast: unknown, message: RegExp]
