import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { type Failure, fail } from "../Failure.ts"

/** Who changes something by a verb, and from where. A store appends it to the log in the transaction of the change. */
export interface Change {
  readonly at: number
  /** A person's id, `command line` or `admin API`. */
  readonly who: string
  readonly sessionId?: string
  /** The address that it came from. */
  readonly address?: string
  /** The account that is changed; absent: none, or a new one. */
  readonly accountId?: string
  /** The verb's id. */
  readonly verb: string
  /** What it changes: an id, or the name of something new. */
  readonly subject: string
  /** The id of a form, which is accepted once. */
  readonly formId?: string
}

/** A line of the log. `seq` ascends with time. */
export interface LoggedChange extends Change {
  readonly seq: number
  /** The name of the person. */
  readonly name?: string
}

/** The failure of a form that was already sent: its transaction is rolled back. */
export const alreadySent: Failure = fail("invalid_request_body", {
  detail: "This form was sent before. It has changed nothing again.",
})

/** Whether a failure is `alreadySent`. In a span Effect fails with a proxy of it. */
export const isAlreadySent = (failure: Failure): boolean => Cause.originalError(failure) === alreadySent

/** The change that the current fiber makes; undefined: none to log. */
export class CurrentChange extends Context.Reference<CurrentChange>()("market-signals/core/people/CurrentChange", {
  defaultValue: (): Change | undefined => undefined,
}) {}

/** Append-only. */
export class ChangeLog extends Context.Tag("market-signals/core/people/ChangeLog")<
  ChangeLog,
  {
    /**
     * Newest first. Without `accountId` the changes of all accounts; with `cursor` only lines with a lower `seq`.
     */
    readonly page: (of: {
      readonly accountId?: string
      readonly cursor?: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<LoggedChange>, Failure>
    /** Appends the line of the current change, if the change is in no transaction of the store. */
    readonly appendCurrent: Effect.Effect<void, Failure>
    readonly findByForm: (formId: string) => Effect.Effect<LoggedChange | undefined, Failure>
  }
>() {}
