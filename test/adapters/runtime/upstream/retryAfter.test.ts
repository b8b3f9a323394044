import { assert, describe, it } from "@effect/vitest"
import { parseRetryAfter } from "../../../../adapters/runtime/upstream/retryAfter.ts"

const now = Date.UTC(2026, 6, 9, 12)
const date = (ms: number): string => new Date(ms).toUTCString()

describe("the pause of Retry-After", () => {
  const cases: ReadonlyArray<readonly [headers: Readonly<Record<string, string>>, ms: number | undefined]> = [
    [{}, undefined],
    [{ "retry-after": "1" }, 1_000],
    [{ "retry-after": " 30 " }, 30_000],
    [{ "retry-after": "0" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "Infinity" }, undefined],
    [{ "retry-after": "0x10" }, undefined],
    [{ "retry-after": "86400" }, 3_600_000],
    [{ "retry-after": date(now + 30_000) }, 30_000],
    [{ "retry-after": date(now - 1_000) }, undefined],
    [{ "retry-after": date(now + 86_400_000) }, 3_600_000],
    // The clock of the source counts, by which it wrote both.
    [{ "retry-after": date(now + 90_000), date: date(now + 60_000) }, 30_000],
    [{ "retry-after": date(now + 30_000), date: "today" }, 30_000],
  ]
  it.each(cases)("%j is %s ms", (headers, ms) => {
    assert.strictEqual(parseRetryAfter(headers, now).retryAfterMs, ms)
  })
})
