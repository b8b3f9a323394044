import * as Effect from "effect/Effect"
import { type Change, CurrentChange } from "../../../core/people/Change.ts"
import type { Visit } from "./Page.ts"

/** Runs a change that is no verb's as the person of a visit, with its line in the log. */
export const logged = <A, E, R>(
  { actor, now }: Visit,
  line: Pick<Change, "verb" | "subject" | "accountId">,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => {
  const { member: _, ...who } = actor
  return Effect.provideService(work, CurrentChange, { ...who, at: now, ...line })
}
