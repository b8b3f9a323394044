import { readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../../core/account/Accounts.ts"
import type { KeyRequest } from "../../../core/account/KeyRequest.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { clockAt } from "../../support/clock.ts"
import { start } from "../../support/running.ts"

/** A Sunday on which football and baseball are played. */
export const now = Date.parse("2026-09-13T15:00:00Z")
export const season = 2026

/** One served app for all rows, over generated data; answers are asked for once. */
export const serve = async () => {
  const clock = clockAt(now)
  /** The server's clock stands but for this. */
  const later = (millis: number): void => clock.set(clock.unsafeCurrentTimeMillis() + millis)
  const running = await start(
    { securityContact: Option.some("mailto:security@example.com") },
    { clock, balance: 50_000_000 },
  )
  let named = 0
  const answers = new Map<string, ReturnType<typeof running.get>>()
  /** The answer of a path with a key's text, or "" for none. */
  const ask = (path: string, token = running.account.live.token) => {
    const name = `${token} ${path}`
    const known = answers.get(name)
    if (known !== undefined) return known
    // A second a call, which the bucket of calls without a key gains.
    later(1_000)
    const answer = running.get(path, token)
    answers.set(name, answer)
    return answer
  }
  return {
    ...running,
    clock,
    later,
    ask,
    /** The results of a call that must succeed. */
    results: async (path: string) => {
      const { status, json, text } = await ask(path)
      assert.strictEqual(status, 200, `${path} ${text.slice(0, 300)}`)
      return json.results
    },
    /** The plain JSON of an address that needs no key. */
    open: async (path: string) => {
      const { status, json, text } = await ask(path, "")
      assert.strictEqual(status, 200, `${path} ${text.slice(0, 300)}`)
      return json
    },
    /** The error of a call. */
    refused: async (path: string, status: number, code: string, token?: string) => {
      const answer = await ask(path, token)
      assert.deepStrictEqual([answer.status, answer.json.error?.code], [status, code], path)
      if (answer.json.error.recoverable) assert.isNotEmpty(answer.json.error.hints, path)
      return answer.json.error
    },
    /** A name that nothing else has. */
    fresh: (name: string): string => `${name} ${++named}`,
    /** A key of a new account with a balance. */
    customer: (name: string, micros: number, request: Partial<KeyRequest> = {}): Promise<string> =>
      running.run(
        Effect.gen(function* () {
          const accounts = yield* Accounts
          const { id } = yield* accounts.create(name)
          if (micros > 0) yield* accounts.credit(id, MicroUsd(micros))
          const { plaintext } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro", ...request })
          return Redacted.value(plaintext)
        }),
      ),
  }
}

export type App = Awaited<ReturnType<typeof serve>>

export type Check = (app: App) => Promise<void> | void

/** A sentence or a table's row of the interface. */
export interface Row {
  readonly says: string
  /** Absent where nothing can be run. */
  readonly check?: Check
  /** Why it is met in another way than to the letter, or cannot be tested; where it is not met, since when. */
  readonly why?: string
  readonly since?: string
}

export const row = (says: string, check: Check): Row => ({ says, check })

/** Not met to the letter since a day; what is met is checked. */
export const except = (says: string, since: string, why: string, check?: Check): Row => ({
  ...{ says, since, why },
  ...(check && { check }),
})

/** Its proof takes a world of its own: the test of this title in that file. */
export const elsewhere = (says: string, file: string, title: string): Row => ({
  ...{ says, why: `${file}: ${title}` },
  check: () => {
    assert.isNotEmpty(title)
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8")
    assert.include(text, title, file)
  },
})

/** Nothing that a program does can break it. */
export const untested = (says: string, why: string): Row => ({ says, why })

/** All sentences that leave something open: nothing is promised. */
export const notShown = (...all: ReadonlyArray<string>): ReadonlyArray<Row> =>
  all.map((says) => untested(says, "Says that something is not shown: it promises nothing."))

/** Sentences that lead over to the rows after them. */
export const heads = (...all: ReadonlyArray<string>): ReadonlyArray<Row> =>
  all.map((says) => untested(says, "Leads over to the rows that follow it."))

/** A table's cells without backquotes and type marks, by row. */
export const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim().replaceAll("`", ""))
