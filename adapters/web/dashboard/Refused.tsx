/** @jsxRuntime automatic @jsxImportSource preact */
import { topUpPath } from "../../../core/account/Quote.ts"
import type { Failure } from "../../../core/Failure.ts"
import type { LoggedChange } from "../../../core/people/Change.ts"
import type { Site } from "../../server/http/Site.ts"
import { Elsewhere } from "../NotFound.tsx"
import type { View } from "./Page.ts"
import { Time } from "./parts.tsx"

/** Says why something was refused. */
export const refusedView = (title: string, { message, detail, status, hints = [] }: Failure, site: Site): View => ({
  title,
  body: (
    <>
      {/* On a 404 the title already says so. */}
      {(status !== 404 || detail !== undefined) && <p>{message}</p>}
      {hints.length > 0 && (
        <ul>
          {hints.map(({ field, suggestion }) => (
            <li key={`${field} ${suggestion}`}>{suggestion}</li>
          ))}
        </ul>
      )}
      {status === 404 && <Elsewhere site={site} path="" />}
      <p>
        <a href="/dashboard">Back to overview</a>
      </p>
    </>
  ),
})

const pastTense: Readonly<Record<string, string>> = {
  ...{ create: "created", delete: "deleted", remove: "removed", revoke: "revoked", rotate: "rotated" },
  ...{ pause: "paused", resume: "resumed", suspend: "suspended", invite: "invited", end: "ended" },
  ...{ cap: "caps changed", role: "role changed", tier: "tier changed", threshold: "threshold changed" },
  ...{ credit: "credited", reverse: "credit reversed", test: "test event queued", replay: "events queued again" },
}

/** The result of a verb in words, such as `alert created`; undefined if the verb is unknown. */
export const doneText = (verb: string): string | undefined => {
  const [resources = "", action = ""] = verb.split("_")
  return pastTense[action] === undefined
    ? undefined
    : `${resources === "people" ? "person" : resources.replace(/s$/, "")} ${pastTense[action]}`
}

/** A line of the log in words. */
export const changeText = (verb: string): string => doneText(verb) ?? verb.replaceAll("_", " ")

/** Verbs whose answer shows a key, a secret or a link only once. */
const showsOnce = /^((keys|webhooks)_(create|rotate)|people_invite)$/

const pagesByIdPrefix: ReadonlyArray<readonly [prefix: string, path: string]> = [
  ["key_", "/dashboard/keys"],
  ["agt_", "/dashboard/agents"],
  ["whk_", "/dashboard/webhooks"],
]

const Subject = ({ subject }: Pick<LoggedChange, "subject">) => {
  const path = pagesByIdPrefix.find(([prefix]) => subject.startsWith(prefix))?.[1]
  return path === undefined ? <code>{subject}</code> : <a href={`${path}/${subject}`}>{subject}</a>
}

/**
 * The result of a form that is sent again, as by a second click or by going back.
 *
 * @param path of the form's page
 */
export const alreadySentView = ({ verb, subject, at }: LoggedChange, path: string): View => ({
  title: "This form was already sent",
  body: (
    <>
      <p>
        It was sent at <Time at={at} isExact /> ({changeText(verb)}: <Subject subject={subject} />
        ). Sending it again changed nothing.
      </p>
      {showsOnce.test(verb) && (
        <p class="notice">
          It was shown once, in the first answer. If you have not saved it, rotate it or make another.
        </p>
      )}
      {verb === "orders_begin" && (
        <p>
          <a class="button" href={`${topUpPath}?left=${subject}`}>
            Continue to payment
          </a>
        </p>
      )}
      <p>
        <a href={path}>Back to the page, with a new form</a>
      </p>
    </>
  ),
})
