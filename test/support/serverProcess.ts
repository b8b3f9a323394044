import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { Accounts } from "../../core/account/Accounts.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { freePort } from "./freePort.ts"
import * as processes from "./processes.ts"

/** A new folder; it goes with the scope. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "market-signals-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true })),
)

/** An account with a dollar, and the token of its live key. */
export const funded = Effect.gen(function* () {
  const accounts = yield* Accounts
  const { id } = yield* accounts.create("tester")
  yield* accounts.credit(id, MicroUsd(1_000_000))
  const { plaintext } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
  return Redacted.value(plaintext)
})

/** What a node on PostgreSQL needs in its environment, with key files in a folder. */
export const environmentOf = (url: Redacted.Redacted, keys: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: Redacted.value(url),
  LOG_LEVEL: "error",
  RECORD_KEY_FILE: join(keys, "record-key"),
  SECRETS_KEY_FILE: join(keys, "secrets-key"),
})

export interface ServerProcess {
  readonly child: processes.Child
  readonly url: string
  readonly get: (
    path: string,
    token?: string,
  ) => Effect.Effect<{ readonly status: number; readonly json: Readonly<Record<string, unknown>> }>
}

/** The server as a process of its own, killed with the scope. */
export const serverProcess = (
  environment: Readonly<Record<string, string>>,
): Effect.Effect<ServerProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = yield* Effect.promise(freePort)
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => processes.start("services/server.ts", [], { PORT: String(port), ...environment })),
      (running) =>
        Effect.promise(() => {
          running.process.kill("SIGKILL")
          return running.ended
        }),
    )
    yield* Effect.promise(() => child.linesUntil(1))
    const url = / on (http:\/\/\S+)/.exec(child.lines[0]!)![1]!
    return {
      child,
      url,
      get: (path, token) =>
        Effect.promise(async () => {
          const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
          const response = await fetch(url + path, { headers })
          return { status: response.status, json: (await response.json()) as Readonly<Record<string, unknown>> }
        }),
    }
  })
