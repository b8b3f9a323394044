import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { modules } from "../../adapters/lanes/all.ts"
import * as Worlds from "../../adapters/lanes/world.ts"
import { toStoreError } from "../../adapters/store/engine/opening.ts"
import * as PostgresClient from "../../adapters/store/engine/postgres/client.ts"
import { findWrongKey } from "../../adapters/store/events/sealSecrets.ts"
import * as stores from "../../adapters/store/open.ts"
import * as Checks from "../../adapters/store/upkeep/checks.ts"
import * as Postgres from "../../adapters/store/upkeep/postgresChecks.ts"
import { type FeedStatus, gapText } from "../../core/feeds/Due.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { inconsistency, keyRemedy, keyTroubles } from "../../core/record/log/signCheckpoint.ts"
import { dayOf, iso, second } from "../../core/time.ts"
import { config as environment, laneModes, type Settings, storePlace, worldConfig } from "../Config.ts"
import { findContactTrouble, type LastAnswer, listProbed, type Probed, probe, restrictedSources } from "../probes.ts"
import { readKeyFiles, record, secretBox, signer } from "../record.ts"
import { make } from "./parser.ts"
import { json, print } from "./shared.ts"

/** A clock that is off by more makes captures late, and tokens of other services invalid. */
const maxSkewMs = 30 * second

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name is not known (DNS)",
  EAI_AGAIN: "its name cannot be looked up now (DNS)",
  ECONNREFUSED: "it refuses connections",
  ECONNRESET: "it closes connections",
  ENETUNREACH: "there is no way to its network",
}

/** Why a request failed, from the innermost known cause. */
const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause, code, errors, message, name } = error as Error & {
    readonly code?: string
    readonly errors?: ReadonlyArray<unknown>
  }
  const reason = reasons[code ?? ""] ?? reasons[name]
  if (reason !== undefined) return reason
  if (code !== undefined && /CERT|SSL|TLS/.test(code)) return `its certificate fails (${code})`
  return describeError(errors?.[0] ?? cause ?? message)
}

const remedy =
  "Check the network from this machine, its DNS and its certificates. The program uses no proxy of the environment."

/** Asks a source as its lane does: an answer to another question does not count. */
const source = (probed: Probed, userAgent: string): Checks.Check => ({
  name: `source ${probed.definition.name} of ${probed.lane}`,
  look: Effect.gen(function* () {
    const { host } = new URL(probed.url)
    const begun = yield* Clock.currentTimeMillis
    let seen: LastAnswer | undefined
    const answer = yield* Effect.either(
      probe(probed, userAgent, (last) => {
        seen = last
      }),
    )
    const now = yield* Clock.currentTimeMillis
    if (seen === undefined) {
      const reason = answer._tag === "Left" ? describeError(answer.left.cause ?? answer.left) : "it sent no answer"
      return Checks.finding(`${host} cannot be reached: ${reason}.`, remedy)
    }
    const { status, date }: LastAnswer = seen
    // The header has a moment between request and answer, in whole seconds.
    const skew = Number.isNaN(date) ? 0 : Math.max(begun - date - second, date - now, 0)
    if (skew > maxSkewMs) {
      return Checks.finding(
        `${host} answers, and its clock differs from this machine's by ${Math.round(skew / second)} s.`,
        "Set this machine's clock by NTP.",
      )
    }
    if (answer._tag === "Right") return Checks.ok(`${host} answers in ${now - begun} ms.`)
    const { path, message } = answer.left
    return Checks.finding(
      `${host} answers ${path} with status ${status}, but not with an answer to the question: ${message}`,
      "Look at the address with a browser: the source may refuse this network or the User-Agent, or may have moved.",
    )
  }),
})

/** A note on facts that a source's answers do not state, with the assumption that is made instead. */
const unstated = ({ definition: { name, questions } }: Probed): ReadonlyArray<Checks.Check> => {
  const texts = new Set(Object.values(questions).flatMap((question) => question.unstated ?? []))
  return texts.size === 0
    ? []
    : [
        {
          name: `answers of ${name}`,
          look: Effect.succeed(Checks.note(`They leave something unstated. ${[...texts].join(" ")}`)),
        },
      ]
}

/** Checks that the sources of lanes with live data answer. */
const sources = (settings: Settings): ReadonlyArray<Checks.Check> => {
  const all = listProbed(settings)
  const checks = [
    ...restrictedSources(settings).map(
      ({ name, text }): Checks.Check => ({ name: `terms of ${name}`, look: Effect.succeed(Checks.note(text)) }),
    ),
    ...all.flatMap((one) => [source(one, settings.upstreams.userAgent), ...unstated(one)]),
  ]
  const contact = findContactTrouble(settings)
  if (contact !== undefined) {
    const finding = Checks.finding(contact, "Set it to an e-mail address or a web address.")
    checks.push({ name: "UPSTREAM_CONTACT", look: Effect.succeed(finding) })
  }
  return checks.length === 0
    ? [{ name: "sources", look: Effect.succeed(Checks.note("All lanes are generated (mock): no source is asked.")) }]
    : checks
}

type Finding = Checks.CheckResult & { readonly check: string }

/** A check that fails is reported as a finding. */
const runCheck = <R>({ name, look }: Checks.Check<R>): Effect.Effect<Finding, never, R> =>
  Effect.catchAllCause(look, (cause) =>
    Effect.succeed(
      Checks.finding(toStoreError("look")(Cause.squash(cause)).message, "Mend this first, and run doctor again."),
    ),
  ).pipe(Effect.map((found) => ({ check: name, ...found })))

/** Checks the configured store; one that cannot be reached is a single finding. */
const ofStore = ({ postgres, sqliteFile, disk }: Settings): Effect.Effect<ReadonlyArray<Finding>> =>
  Option.match(postgres, {
    onNone: () => Effect.forEach(Checks.checkSqlite(sqliteFile, disk.reserveBytes), runCheck),
    onSome: (url) =>
      Effect.scoped(
        Effect.matchEffect(Layer.build(PostgresClient.layer(url, { connections: 1 })), {
          onFailure: (error) =>
            Effect.succeed([
              {
                check: "server",
                ...Checks.finding(
                  toStoreError("use the database of DATABASE_URL")(error).message,
                  "Correct DATABASE_URL, or start the server.",
                ),
              },
            ]),
          onSuccess: (context) => Effect.provide(Effect.forEach(Postgres.checks, runCheck), context),
        }),
      ),
  })

const lookAtSource = "`market-signals jobs list` shows why it was not read; look at the source with a browser."

/** Missing periods of a feed, and changes of its columns. */
const feedFindings = (status: FeedStatus): ReadonlyArray<Checks.CheckResult> => {
  const { feed, state, refusal, newFields } = status
  const [first] = newFields
  return [
    ...(state === "behind" ? [Checks.finding(`${gapText(feed, status)}. ${feed.absence}`, lookAtSource)] : []),
    ...(state !== "complete" && refusal !== undefined
      ? [
          Checks.finding(
            `The last attempt (${iso(refusal.at)}) brought nothing usable: ${refusal.reason}`,
            lookAtSource,
          ),
        ]
      : []),
    ...(first === undefined
      ? []
      : [
          Checks.finding(
            `New fields since ${dayOf(first.at)}: ${newFields.map(({ name }) => name).join(", ")}.`,
            "The source has changed its shape: read its release notes, and update this program before fields that it needs go.",
          ),
        ]),
  ]
}

/** The state of each feed according to the store. */
const feeds = (settings: Settings) =>
  Effect.gen(function* () {
    const { all } = yield* Worlds.registerFeeds(modules, worldConfig(settings))
    const statuses = yield* all
    return statuses.flatMap((status): ReadonlyArray<Finding> => {
      const check = `feed ${status.feed.name}`
      const findings = feedFindings(status)
      const newest = status.newest === undefined ? "" : `; the newest is ${status.newest.name}`
      return findings.length > 0
        ? findings.map((each) => ({ check, ...each }))
        : [{ check, ...Checks.ok(`Nothing due is missing${newest}.`) }]
    })
  })

const otherSecretsKey = Checks.finding(
  "The key of SECRETS_KEY_FILE does not open the store's secrets.",
  "Restore its file, or start once with SECRETS_KEY_NEW=yes and rotate the secret of every webhook.",
)

/** Whether the key files are those of the store. */
const storeKeys = Effect.gen(function* () {
  const trouble = yield* Effect.match(inconsistency(yield* (yield* RecordLog).checkpoint()), {
    onFailure: ({ message }) => message,
    onSuccess: (held) => held && keyTroubles[held],
  })
  const secrets = yield* findWrongKey
  return [
    ...(trouble === undefined ? [] : [{ check: "record key", ...Checks.finding(trouble, keyRemedy) }]),
    ...(secrets === undefined ? [] : [{ check: "secrets key", ...otherSecretsKey }]),
  ]
})

/** Checks the contents of a store: its keys, and its feeds if some lane has live data. */
const storeContents = (settings: Settings): Effect.Effect<ReadonlyArray<Finding>> => {
  const isLive = Object.values(laneModes(settings)).some((mode) => mode !== "mock")
  return Effect.gen(function* () {
    return [...(yield* storeKeys), ...(isLive ? yield* feeds(settings) : [])]
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(signer(settings), secretBox(settings))),
    Effect.provide(Layer.provideMerge(record, stores.readOnlyLayer(storePlace(settings)))),
    Effect.catchAll((error) =>
      Effect.succeed([
        { check: "contents", ...Checks.finding(toStoreError("look")(error).message, "Mend the store first.") },
      ]),
    ),
  )
}

const keyFiles = (settings: Settings): ReadonlyArray<Checks.Check> =>
  Object.entries(readKeyFiles(settings)).map(([name, file]) => Checks.checkKeyFile(name, file))

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
      if (checks.some(({ check, state }) => check === "schema" && state === "ok"))
        checks.push(...(yield* storeContents(config)))
      const count = checks.filter(({ state }) => state === "finding").length
      yield* print(options.json, { well: count === 0, checks }, checks.map(line).join("\n"))
      if (count > 0) return yield* Effect.fail(new Error(count === 1 ? "1 finding." : `${count} findings.`))
    }),
)
