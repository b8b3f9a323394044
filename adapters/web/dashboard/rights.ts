import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { People } from "../../../core/people/People.ts"
import * as Rights from "../../../core/rights/Rights.ts"
import { enumeration } from "../../../core/text.ts"
import { isAllowed } from "../../admin/AdminOperation.ts"
import type { Barred, Page, Visit } from "./Page.ts"

/** Whether a page is for the person of a visit. */
export const isFor = (
  { audience }: Page,
  { actor: { member }, account }: Pick<Visit, "account" | "actor">,
): boolean => {
  const { run, see } = Rights.ofPerson(member)
  return audience === "person" || (audience === "operator" ? run(undefined) : see(account?.id))
}

/** Owners whose names are shown. */
const ownersShown = 3

/** A verb's summary in a sentence: `Create an API key; only this answer shows it` is `create an API key`. */
const inSentence = (summary: string): string => {
  const [first = ""] = summary.split(/[;:,.]/)
  return first.slice(0, 1).toLowerCase() + first.slice(1)
}

/** The visit with the actions that its person may not take on a page. A person with all rights costs no look-up. */
export const withRights = (page: Page, visit: Visit): Effect.Effect<Visit, Failure, People> =>
  Effect.gen(function* () {
    const barred = Object.entries(page.actions ?? {}).filter(
      ([, { verb }]) => verb !== undefined && !isAllowed(verb, visit.actor),
    )
    if (barred.length === 0 || visit.account === undefined) return visit
    const members = yield* (yield* People).members(visit.account.id, { role: "owner", limit: ownersShown })
    return {
      ...visit,
      barred: {
        actions: barred.map(([name]) => name),
        does: [...new Set(barred.map(([, { verb }]) => inSentence(verb!.summary)))],
        owners: members.map(({ person }) => person.name),
      },
    }
  })

/** Says who may do what is not shown. */
export const barredText = ({ does, owners }: Barred): string =>
  `Only owners can ${enumeration(does, "or")}. Ask ${owners.length === 0 ? "the operator" : enumeration(owners, "or")}.`
