import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import { playground as keysOf } from "../../../core/account/AccountStore.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import type * as ApiKey from "../../../core/account/ApiKey.ts"
import { Keyring } from "../../../core/account/Keyring.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type * as decode from "../../../core/endpoint/decode.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import { formatUuid } from "../../../core/uuid.ts"
import { runLogged } from "./actions.ts"
import type { Services, Visit } from "./Page.ts"

/** The agent whose caps apply to calls of the playground. */
const agentName = keysOf.name
const monthlyCap = MicroUsd(1_000_000)

/** An account has one key for this long, and it works as long again, so that a form that is sent twice finds it. */
const life = keysOf.lifetimeMs / 2

/** The number of the period of a key. */
export const periodOf = (now: number): number => Math.floor(now / life)

/** A UUID of version 4 from a form's id and values: the same form with the same values is the same call. */
const idempotencyKeyOf = (formId: string, raw: decode.Raw): string => {
  const values = raw._tag === "Json" ? raw.value : [...raw.entries]
  const digest = createHash("sha256")
    .update(`playground ${formId} ${JSON.stringify(values)}`)
    .digest()
  return formatUuid(digest.subarray(0, 16))
}

/** Runs a change of the playground's own, which has a line in the log, but not the form's id: that is the call's. */
const ofPlayground = <A, R>(
  visit: Visit,
  verb: string,
  subject: string,
  change: Effect.Effect<A, Failure, R>,
): Effect.Effect<A, Failure, R> => {
  const { formId: _, ...actor } = visit.actor
  return runLogged({ ...visit, actor }, { verb, subject, accountId: visit.account!.id }, change)
}

const ensureKey = (visit: Visit, environment: ApiKey.Environment, period: number) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const agents = yield* Agents
    const account = visit.account!.id
    // A name that no key hashes to: only the session of a person reaches the key, and ends with the session.
    const hash = `playground/${environment}/${account}/${period}`
    if ((yield* (yield* Keyring).find(hash)) !== undefined) return hash
    const expiresAt = (period + 2) * life
    if (expiresAt <= visit.now) {
      return yield* fail("invalid_request_body", { detail: "The key of this page has expired. Open the page again." })
    }
    const own = agents.findIn(account, agentName)
    const agent =
      (yield* own) ??
      // Another request may make it at the same time; then it is there.
      (yield* ofPlayground(visit, "agents_create", agentName, agents.create(account, agentName, { monthlyCap })).pipe(
        Effect.catchAll((failure) =>
          Effect.flatMap(own, (found) => (found === undefined ? failure : Effect.succeed(found))),
        ),
      ))
    const issue = accounts.issueKey({ account, environment, agent: agent.id, name: agentName, expiresAt, hash })
    // Another request may make it at the same time.
    yield* Effect.catchIf(
      ofPlayground(visit, "keys_create", agentName, issue),
      ({ hints }) => hints?.some(({ field }) => field === "hash") === true,
      () => Effect.void,
    )
    return hash
  })

/**
 * Makes one call as the account would: with a key of the agent `playground`, its caps, the charge and the audit trail. A form
 * that is sent again is the same call, and is not charged again.
 *
 * @param period the period in which the form was shown
 */
export const call = (
  visit: Visit,
  entry: Catalogue.Entry,
  raw: decode.Raw,
  environment: ApiKey.Environment,
  period: number,
): Effect.Effect<Served, Failure, Services> =>
  Effect.gen(function* () {
    const age = periodOf(visit.now) - period
    if (age !== 0 && age !== 1) return yield* fail("invalid_request_body", { detail: "Open the page again." })
    const keyHash = yield* ensureKey(visit, environment, period)
    const gateway = yield* Gateway
    // The charge and its answer belong together.
    const serve = Effect.uninterruptible(
      gateway.serve(entry, raw, {
        authorization: undefined,
        keyHash,
        idempotencyKey: idempotencyKeyOf(visit.actor.formId!, raw),
        ...(visit.actor.address === undefined ? {} : { address: visit.actor.address }),
      }),
    )
    // The first of two clicks may still be under way: its answer is this one's too.
    let served = yield* serve
    for (let looks = 0; served.status === 409 && looks < 80; looks++) {
      yield* Effect.sleep("250 millis")
      served = yield* serve
    }
    return served
  })
