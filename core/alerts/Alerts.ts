import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../account/Accounts.ts"
import { findEarlierResult, idBytes } from "../account/idempotentId.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as Ulid from "../account/Ulid.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import { change, type Failure, invalid, notFound } from "../Failure.ts"
import { ifDefined } from "../ifDefined.ts"
import type * as Rights from "../rights/Rights.ts"
import { type Alert, maxAlerts } from "./Alert.ts"
import { AlertStore } from "./AlertStore.ts"
import * as Question from "./question.ts"
import type * as Watch from "./Watch.ts"

export interface Request {
  readonly account: string
  /** Id or name of an agent of the account. */
  readonly agent?: string
  readonly name?: string
  readonly call: string
  readonly threshold?: number
  readonly hysteresis?: number
  /** Idempotency key: a repeated request makes only one alert. */
  readonly once?: string
  /** Why the requester may not call a lane; absent: every lane may be called. */
  readonly barred?: Rights.Rights["call"]
}

/** The commands on alerts. A server's runner checks and fires them. */
export class Alerts extends Context.Tag("market-signals/core/alerts/Alerts")<
  Alerts,
  {
    readonly create: (request: Request) => Effect.Effect<Alert, Failure>
    readonly list: AlertStore["Type"]["ofAccount"]
    readonly get: (id: string) => Effect.Effect<Alert, Failure>
    readonly pause: (id: string) => Effect.Effect<Alert, Failure>
    /** Re-arms from the current value; crossings during the pause do not fire. */
    readonly resume: (id: string) => Effect.Effect<Alert, Failure>
    /** Permanent, with its key. */
    readonly remove: (id: string) => Effect.Effect<Alert, Failure>
  }
>() {
  static layer(
    catalogue: Catalogue.Any,
    watches: ReadonlyArray<Watch.Any>,
  ): Layer.Layer<Alerts, never, Accounts | AlertStore | PlatformCrypto> {
    return Layer.effect(Alerts, make(catalogue, watches))
  }
}

const defaultHysteresisShare = 0.2

/** Threshold and hysteresis of a request, by the watch of its call. */
const readBounds = (
  { watch: { kind, unit, bar: barOf }, params }: Question.Question,
  { threshold, hysteresis }: Request,
): Effect.Effect<Pick<Alert, "threshold" | "hysteresis">, Failure> => {
  if (unit === undefined) {
    const given = threshold === undefined ? (hysteresis === undefined ? undefined : "hysteresis") : "threshold"
    return given === undefined
      ? Effect.succeed({})
      : invalid(given, `Leave out ${given}: each new report of this call fires.`)
  }
  const bar = barOf?.(params)
  const bound = threshold ?? (bar === undefined ? undefined : (params[bar.param] as number))
  if (bound === undefined || !(bound > 0)) {
    return invalid("threshold", `threshold must be above 0, in the unit of this call: ${unit}.`)
  }
  if (bar !== undefined && bound < bar.least) return invalid("threshold", `threshold must be ${bar.least} or more.`)
  if (kind !== "edge") {
    return hysteresis === undefined
      ? Effect.succeed({ threshold: bound })
      : invalid("hysteresis", "Leave out hysteresis: each move is counted from the last one that fired.")
  }
  const hysteresisOrDefault = hysteresis ?? Number((defaultHysteresisShare * bound).toPrecision(12))
  return hysteresisOrDefault >= 0 && hysteresisOrDefault < bound
    ? Effect.succeed({ threshold: bound, hysteresis: hysteresisOrDefault })
    : invalid("hysteresis", "hysteresis must be 0 or more, and less than the threshold.")
}

/** Revokes an alert's key, which its owner may have revoked already. */
const revokeIfThere = ({ revokeKey }: Accounts["Type"], keyId: string) =>
  Effect.catchIf(
    revokeKey(keyId),
    ({ code }) => code === "not_found",
    () => Effect.void,
  )

const make = (catalogue: Catalogue.Any, watches: ReadonlyArray<Watch.Any>) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const store = yield* AlertStore
    const secrets = yield* PlatformCrypto
    const read = Question.reader(catalogue, watches)

    const get = Effect.fn("Alerts.get")(function* (id: string) {
      const alert = yield* store.find(id)
      return alert ?? (yield* notFound("No alert has this id.", change("alert", "Use the id of a listed alert.")))
    })

    const setStatus = (status: Alert["status"]) =>
      Effect.fn(`Alerts.${status}`)(function* (id: string) {
        const { reason: _, ...alert } = yield* get(id)
        yield* store.setStatus(id, status)
        return { ...alert, status }
      })

    return Alerts.of({
      create: Effect.fn("Alerts.create")(function* (request) {
        const { id: accountId } = yield* accounts.get(request.account)
        const createdAt = yield* Clock.currentTimeMillis
        const question = yield* read(request.call, createdAt)
        const bounds = yield* readBounds(question, request)
        const barred = request.barred?.(question.entry.lane)
        if (barred !== undefined) return yield* barred
        const bytes = yield* idBytes(secrets, request.once)
        const earlier =
          request.once === undefined
            ? undefined
            : findEarlierResult(yield* store.ofAccount(accountId), bytes, createdAt)
        if (earlier !== undefined) return earlier
        // The plaintext is dropped: the runner finds the key by its hash.
        const { key, plaintext } = yield* accounts.issueKey({
          account: accountId,
          environment: "live",
          name: "alert",
          scopes: [question.entry.lane.name],
          ...ifDefined("agent", request.agent),
        })
        const alert: Alert = {
          id: `alt_${Ulid.encode(createdAt, bytes)}`,
          accountId,
          ...ifDefined("agentId", key.agentId),
          keyId: key.id,
          ...ifDefined("name", request.name),
          call: question.call,
          ...bounds,
          status: "active",
          crossings: 0,
          createdAt,
        }
        if (yield* store.insert(alert, yield* secrets.sha256(Redacted.value(plaintext)), maxAlerts)) return alert
        yield* accounts.revokeKey(key.id)
        return yield* invalid("account", `An account can have at most ${maxAlerts} alerts. Delete one first.`)
      }),
      list: (account) => Effect.flatMap(accounts.get(account), ({ id }) => store.ofAccount(id)),
      get,
      pause: setStatus("paused"),
      resume: setStatus("active"),
      remove: Effect.fn("Alerts.remove")(function* (id) {
        const alert = yield* get(id)
        yield* store.remove(id)
        yield* revokeIfThere(accounts, alert.keyId)
        return alert
      }),
    })
  })
