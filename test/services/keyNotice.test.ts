import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fromBytes } from "../../core/account/ApiKey.ts"
import type { KeyPlace } from "../../core/gateway/Call.ts"
import { keyPlaces, warnOfKey } from "../../services/keyNotice.ts"

/** What is said about a header on standard error. */
const said = (authorization: string | undefined, place: KeyPlace = keyPlaces.command) =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    const console = yield* Effect.console
    yield* Effect.withConsole(warnOfKey(authorization, place), {
      ...console,
      error: (line: unknown) => Effect.sync(() => void lines.push(line)),
    })
    return lines
  }).pipe(Effect.runSync)

const key = fromBytes("test", new Uint8Array(32).fill(7))

it("a key says nothing", () => {
  assert.deepStrictEqual(said(`Bearer ${key}`), [])
})

it("without a key it is said what can be called, and where the key is set", () => {
  const start = "MARKET_SIGNALS_KEY is not set: only what needs no key can be called."
  assert.deepStrictEqual(said(undefined), [`${start} Set MARKET_SIGNALS_KEY in the environment of the command.`])
  assert.deepStrictEqual(said("", keyPlaces.client), [`${start} Set MARKET_SIGNALS_KEY in the client's configuration.`])
})

it("a mistyped key is told from none, and not shown", () => {
  const [line, ...more] = said(`Bearer ${key.slice(0, -1)}`)
  assert.isEmpty(more)
  assert.strictEqual(
    line,
    "MARKET_SIGNALS_KEY is not an API key: they begin with svk_live_ or svk_test_ and end with a checksum. Set MARKET_SIGNALS_KEY in the environment of the command.",
  )
})
