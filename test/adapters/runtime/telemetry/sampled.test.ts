import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { sample } from "../../../../adapters/runtime/telemetry/sampled.ts"

it.scoped("a figure is read once a period, whoever asks; a failed read has no value and is counted", () =>
  Effect.gen(function* () {
    const answers: ReadonlyArray<number | undefined> = [3, undefined, undefined, 5]
    let reads = 0
    const read = Effect.suspend(() => {
      const answer = answers[reads++]
      return answer === undefined ? Effect.fail("silent") : Effect.succeed(answer)
    })
    const last = yield* sample(read, "1 minute")
    assert.deepStrictEqual(last(), { value: undefined, failures: 0 })
    yield* TestClock.adjust(0)
    for (const expected of [
      { value: 3, failures: 0 },
      { value: undefined, failures: 1 },
      { value: undefined, failures: 2 },
      { value: 5, failures: 2 },
    ]) {
      for (let count = 0; count < 50; count++) assert.deepStrictEqual(last(), expected)
      yield* TestClock.adjust("1 minute")
    }
    assert.strictEqual(reads, 5)
  }),
)
