/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { People } from "../../../../core/people/People.ts"
import type { Person, Role } from "../../../../core/people/Person.ts"
import { sessionEnd } from "../../../../core/people/Session.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { peopleVerbs } from "../../../admin/peopleVerbs.ts"
import { List } from "../../view/parts.tsx"
import { performAs, runLogged, toAction } from "../actions.ts"
import { Form, VerbForm } from "../Form.tsx"
import { cursorOf, Older } from "../listing.tsx"
import { type Action, ofAccount, type Page, type Visit } from "../Page.ts"
import { Secret, Time } from "../parts.tsx"

const { peopleList, peopleInvite, peopleRole, peopleRemove } = peopleVerbs

const toPeople = () => ({ to: "/dashboard/people" })

/** Turns a person's role, or removes the person, by one button each. */
const personForms = (visit: Visit, person: Pick<Person, "id" | "name"> & { readonly role: Role }) => {
  const form = { visit, about: person.name, isInline: true } as const
  const role = person.role === "owner" ? "viewer" : "owner"
  const button = role === "owner" ? "Make an owner" : "Make a viewer"
  return (
    <div class="actions">
      <Form {...form} action="role" button={button} given={{ person: person.id, role }} />
      <Form {...form} action="remove" button="Remove" isDanger given={{ person: person.id }} />
    </div>
  )
}

const people = ofAccount({
  path: "/dashboard/people",
  label: "People",
  view: (visit) =>
    Effect.map(performAs(visit, peopleList, cursorOf(visit)), (found) => {
      const mayChange = isAllowed(peopleInvite, visit.actor)
      return {
        title: "People",
        body: (
          <>
            <List
              caption="People of the account"
              rows={found.people}
              columns={[
                ["Name", ({ name }) => name],
                ["Role", ({ role }) => role],
                ["Since", ({ created_at }) => <Time at={created_at} />],
                ["Action", (person) => mayChange && personForms(visit, person)],
              ]}
            />
            <Older path="/dashboard/people" what="people" next={found.next} />
            {mayChange && (
              <>
                <h2>Invite</h2>
                <p>Creates a link that signs one person in. It works once, within 7 days.</p>
                <VerbForm
                  visit={visit}
                  action="invite"
                  button="Create link"
                  verb={peopleInvite}
                  values={{ role: "viewer" }}
                />
              </>
            )}
          </>
        ),
      }
    }),
  actions: {
    invite: toAction(peopleInvite, ({ path, expires_at }, { origin }) => ({
      title: "Invitation",
      body: (
        <>
          <Secret text={`${origin}${path}`}>
            Send this link to the person. It works once, and is shown only here.
          </Secret>
          <p>
            It expires on <Time at={expires_at} />. <a href="/dashboard/people">Back to people</a>
          </p>
        </>
      ),
    })),
    role: toAction(peopleRole, toPeople),
    remove: toAction(peopleRemove, toPeople),
  },
})

/** Changes one's own sessions, with a line in the log. */
const onOwn = (verb: string, run: (visit: Visit, values: URLSearchParams) => ReturnType<Action["run"]>): Action => ({
  run: (visit, values) =>
    runLogged(
      visit,
      {
        verb,
        subject: verb === "session_end" ? (values.get("session") ?? "").slice(0, 64) : visit.session.person.id,
        // An operator's sessions do not belong to the account.
        ...(visit.account === undefined || visit.session.person.isOperator ? {} : { accountId: visit.account.id }),
      },
      run(visit, values),
    ),
})

const toSessions = { to: "/dashboard/sessions" }

const endForm = (visit: Visit, session: string) => (
  <Form visit={visit} action="end" button="End" about={session} isInline isDanger given={{ session }} />
)

const sessions: Page = {
  path: "/dashboard/sessions",
  label: "Sessions",
  audience: "person",
  view: (visit) =>
    Effect.map(
      Effect.flatMap(People, (all) => all.sessions(visit.session.person.id)),
      (all) => ({
        title: "Sessions",
        body: (
          <>
            <p>Browsers in which you are signed in.</p>
            <List
              caption="Your sessions"
              rows={all}
              columns={[
                ["Browser", ({ browser }) => browser ?? "unknown"],
                ["Address", ({ address }) => address ?? "unknown"],
                ["Since", ({ createdAt }) => <Time at={createdAt} />],
                ["Last seen", ({ seenAt }) => <Time at={seenAt} />],
                ["Expires if unused", (session) => <Time at={sessionEnd(session)} />],
                ["Action", ({ id }) => (id === visit.session.id ? "this one" : endForm(visit, id))],
              ]}
            />
            {all.length > 1 && <Form visit={visit} action="others" button="End all other sessions" isDanger />}
          </>
        ),
      }),
    ),
  actions: {
    end: onOwn("session_end", ({ session }, values) =>
      Effect.flatMap(People, ({ endSession: end }) =>
        Effect.as(end(session.person.id, values.get("session") ?? ""), toSessions),
      ),
    ),
    others: onOwn("sessions_end_others", ({ session }) =>
      Effect.flatMap(People, ({ endOthers }) => Effect.as(endOthers(session.person.id, session.id), toSessions)),
    ),
  },
}

export const peoplePages: ReadonlyArray<Page> = [people, sessions]
