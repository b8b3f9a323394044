import { assert, it } from "@effect/vitest"
import { crypto } from "../../../../adapters/lanes/crypto/module.ts"

it("in shadow mode a tape differs where it is behind or ahead by more than two minutes, or is the only one", () => {
  const [{ differs }] = crypto.shadowed as unknown as readonly [
    { readonly differs: (mock: unknown, live: unknown, method: string) => string | undefined },
  ]
  const tape = (lastMinute: number) => ({ closes: Float64Array.of(1), lastMinute, source: "test", flags: [] })
  const to = (live: object | undefined) => differs(tape(1_000), live, "window")
  assert.deepStrictEqual(
    [998, 1_000, 1_002].map((minute) => to(tape(minute))),
    [undefined, undefined, undefined],
  )
  assert.strictEqual(to(tape(997)), "the live tape is 3 minutes behind")
  assert.strictEqual(to(tape(1_003)), "the live tape is -3 minutes behind")
  assert.strictEqual(to(undefined), "only one has a tape")
  assert.isUndefined(differs(undefined, undefined, "window"))
})
