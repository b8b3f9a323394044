import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { modules } from "../../adapters/lanes/all.ts"
import { type Check, finding, note, ok } from "../../adapters/store/upkeep/checks.ts"
import { second } from "../../core/time.ts"
import { modesOf, type Settings } from "../Config.ts"

const patienceMs = 5 * second

/** A clock this far off makes captures late and tokens of other services invalid. */
const mostSkewMs = 30 * second

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name is not known (DNS)",
  EAI_AGAIN: "its name cannot be looked up now (DNS)",
  ECONNREFUSED: "it refuses connections",
  ECONNRESET: "it closes connections",
  ENETUNREACH: "there is no way to its network",
  TimeoutError: `it does not answer within ${patienceMs / second} s`,
}

/** Why a request failed, as far as its causes tell. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause, code, errors, message, name } = error as Error & {
    readonly code?: string
    readonly errors?: ReadonlyArray<unknown>
  }
  const known = reasons[code ?? ""] ?? reasons[name]
  if (known !== undefined) return known
  if (code !== undefined && /CERT|SSL|TLS/.test(code)) return `its certificate fails (${code})`
  return reasonOf(errors?.[0] ?? cause ?? message)
}

const remedy =
  "Check the network from this machine, its DNS and its certificates. The program uses no proxy of the environment."

/** Any HTTP answer counts as reachable. */
const source = (name: string, lane: string, url: string): Check => ({
  name: `source ${name} of ${lane}`,
  look: Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const answer = yield* Effect.either(
      Effect.tryPromise({
        try: () => fetch(url, { redirect: "manual", signal: AbortSignal.timeout(patienceMs) }),
        catch: reasonOf,
      }),
    )
    const now = yield* Clock.currentTimeMillis
    if (answer._tag === "Left") return finding(`${new URL(url).host} cannot be reached: ${answer.left}.`, remedy)
    const { headers, body } = answer.right
    yield* Effect.promise(async () => body?.cancel())
    const theirs = Date.parse(headers.get("date") ?? "")
    // Their clock is of some moment between question and answer, to the second.
    const skew = Number.isNaN(theirs) ? 0 : Math.max(begun - theirs - second, theirs - now, 0)
    return skew > mostSkewMs
      ? finding(
          `${new URL(url).host} answers, and its clock differs from this machine's by ${Math.round(skew / second)} s.`,
          "Set this machine's clock by NTP.",
        )
      : ok(`${new URL(url).host} answers in ${now - begun} ms.`)
  }),
})

/** Reaches the sources of the lanes that are not generated. */
export const sources = (settings: Settings): ReadonlyArray<Check> => {
  const modes = modesOf(settings)
  const checks = modules.flatMap(({ definition: { lane }, upstreams }) =>
    modes[lane.name] === "mock"
      ? []
      : Object.keys(upstreams).map((name) => source(name, lane.name, String(settings.upstreams[name as never]))),
  )
  return checks.length === 0
    ? [{ name: "sources", look: Effect.succeed(note("All lanes are generated (mock): no source is asked.")) }]
    : checks
}
