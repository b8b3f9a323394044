import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { cannot } from "../../adapters/store/engine/opening.ts"
import * as PostgresClient from "../../adapters/store/engine/postgres/client.ts"
import * as Checks from "../../adapters/store/upkeep/checks.ts"
import * as Postgres from "../../adapters/store/upkeep/postgresChecks.ts"
import { config as environment, type Settings } from "../Config.ts"
import { keyFilesOf } from "../record.ts"
import { sources } from "./doctorSources.ts"
import { make } from "./parser.ts"
import { json, print } from "./shared.ts"

type Finding = Checks.Found & { readonly check: string }

/** A check that fails is a finding too. */
const runCheck = <R>({ name, look }: Checks.Check<R>): Effect.Effect<Finding, never, R> =>
  Effect.catchAllCause(look, (cause) =>
    Effect.succeed(
      Checks.finding(cannot("look")(Cause.squash(cause)).message, "Mend this first, and run doctor again."),
    ),
  ).pipe(Effect.map((found) => ({ check: name, ...found })))

/** The store of a configuration; one that cannot be reached is a single finding. */
const ofStore = ({ postgres, sqliteFile, disk }: Settings): Effect.Effect<ReadonlyArray<Finding>> =>
  Option.match(postgres, {
    onNone: () => Effect.forEach(Checks.sqlite(sqliteFile, disk.reserveBytes), runCheck),
    onSome: (url) =>
      Effect.scoped(
        Effect.matchEffect(Layer.build(PostgresClient.layer(url, { connections: 1 })), {
          onFailure: (error) =>
            Effect.succeed([
              {
                check: "server",
                ...Checks.finding(
                  cannot("use the database of DATABASE_URL")(error).message,
                  "Correct DATABASE_URL, or start the server.",
                ),
              },
            ]),
          onSuccess: (context) => Effect.provide(Effect.forEach(Postgres.checks, runCheck), context),
        }),
      ),
  })

const keyFiles = (settings: Settings): ReadonlyArray<Checks.Check> =>
  Object.entries(keyFilesOf(settings)).map(([name, file]) => Checks.keyFile(name, file))

const marks = { ok: "ok     ", note: "note   ", finding: "FINDING" } as const

const line = (found: Finding): string =>
  [
    `${marks[found.state]}  ${found.check}: ${found.detail}`,
    ...("remedy" in found ? [`         ${found.remedy}`] : []),
  ].join("\n")

export const doctor = make(
  "doctor",
  "Check settings, store, role, key files, sources and clock. Changes nothing; ends with 1 where it finds something.",
  { json },
  (options) =>
    Effect.gen(function* () {
      const config = yield* environment
      const rest = [...keyFiles(config), ...sources(config)]
      const checks = [...(yield* ofStore(config)), ...(yield* Effect.forEach(rest, runCheck, { concurrency: 4 }))]
      const count = checks.filter(({ state }) => state === "finding").length
      yield* print(options.json, { well: count === 0, checks }, checks.map(line).join("\n"))
      if (count > 0) return yield* Effect.fail(new Error(count === 1 ? "1 finding." : `${count} findings.`))
    }),
)
