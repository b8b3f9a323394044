import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Failure } from "../../core/Failure.ts"
import * as Step from "../../core/Step.ts"
import { bug, type Form, formOf, inForm, oops, plain } from "../support/steps.ts"

describe("effects together", () => {
  const tables: ReadonlyArray<
    readonly [string, ReadonlyArray<readonly [Form, Exit.Exit<number, Failure>]>, unknown, Form]
  > = [
    ["nothing", [], [], "done"],
    [
      "values",
      [
        ["done", Exit.succeed(1)],
        ["done", Exit.succeed(2)],
      ],
      [1, 2],
      "done",
    ],
    [
      "one that waits for a fiber",
      [
        ["fiber", Exit.succeed(1)],
        ["done", Exit.succeed(2)],
      ],
      [1, 2],
      "fiber",
    ],
    [
      "one that waits for a callback",
      [
        ["done", Exit.succeed(1)],
        ["pending", Exit.succeed(2)],
      ],
      [1, 2],
      "fiber",
    ],
    [
      "a failure",
      [
        ["done", Exit.succeed(1)],
        ["done", Exit.fail(oops)],
      ],
      plain(Exit.fail(oops)),
      "done",
    ],
    [
      "a failure after one that waits",
      [
        ["fiber", Exit.succeed(1)],
        ["done", Exit.fail(oops)],
      ],
      plain(Exit.fail(oops)),
      "done",
    ],
    ["a defect", [["done", Exit.die(bug)]], plain(Exit.die(bug)), "done"],
  ]
  for (const [name, parts, expected, form] of tables) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const run = Step.eager(() => Step.all(parts.map(([each, exit]) => Step.suspend(() => inForm(each, exit)))))
        const step = run()
        assert.strictEqual(formOf(step), form)
        assert.deepStrictEqual(plain(yield* Effect.exit(Step.run(step))), expected)
      }),
    )
  }

  it.effect("wait together", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* Deferred.make<number>(), yield* Deferred.make<number>()]
      // Each waits for the other one to have begun.
      const both = Step.all([
        Effect.zipRight(Deferred.succeed(one, 1), Deferred.await(two)),
        Effect.zipRight(Deferred.succeed(two, 2), Deferred.await(one)),
      ])
      assert.deepStrictEqual(yield* both, [2, 1])
    }),
  )
})
