/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { People } from "../../../../core/people/People.ts"
import { endOf } from "../../../../core/people/Session.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { peopleVerbs } from "../../../admin/peopleVerbs.ts"
import { Table } from "../../view/parts.tsx"
import { performAs, runs } from "../actions.ts"
import { Fields, Form } from "../Form.tsx"
import { cursorOf, Older } from "../listing.tsx"
import { logged } from "../logged.ts"
import { type Action, ofAccount, type Page, type Visit } from "../Page.ts"
import { Secret, Time } from "../parts.tsx"
import { Lines, pageSize } from "./changes.tsx"

const { peopleList, peopleInvite, peopleRole, peopleRemove, changesList } = peopleVerbs

const toPeople = () => ({ to: "/dashboard/people" })

const ofPerson = (_: Visit, values: URLSearchParams) => ({ person: values.get("person") ?? "" })

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
            <Table
              caption="People of the account"
              columns={["Name", "Role", "Since", "Action"]}
              rows={found.people.map((person) => [
                person.name,
                person.role,
                <Time key="since" at={person.created_at} />,
                mayChange && (
                  <div key="actions" class="actions">
                    <Form
                      visit={visit}
                      action="role"
                      button={person.role === "owner" ? "Make a viewer" : "Make an owner"}
                      about={person.name}
                      isInline
                    >
                      <input type="hidden" name="person" value={person.id} />
                      <input type="hidden" name="role" value={person.role === "owner" ? "viewer" : "owner"} />
                    </Form>
                    <Form visit={visit} action="remove" button="Remove" about={person.name} isInline isDanger>
                      <input type="hidden" name="person" value={person.id} />
                    </Form>
                  </div>
                ),
              ])}
            />
            <Older path="/dashboard/people" what="people" next={found.next} />
            {mayChange && (
              <>
                <h2>Invite</h2>
                <p>Creates a link that signs one person in. It works once, within 7 days.</p>
                <Form visit={visit} action="invite" button="Create link">
                  <Fields visit={visit} action="invite" verb={peopleInvite} values={{ role: "viewer" }} />
                </Form>
              </>
            )}
          </>
        ),
      }
    }),
  actions: {
    invite: runs(peopleInvite, ({ path, expires_at }, { origin }) => ({
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
    role: runs(peopleRole, toPeople, ofPerson),
    remove: runs(peopleRemove, toPeople, ofPerson),
  },
})

/** Changes one's own sessions, with a line in the log. */
const onOwn = (verb: string, run: (visit: Visit, values: URLSearchParams) => ReturnType<Action["run"]>): Action => ({
  run: (visit, values) =>
    logged(
      visit,
      {
        verb,
        subject: verb === "session_end" ? (values.get("session") ?? "").slice(0, 64) : visit.session.person.id,
        // An operator's sessions are none of the account's.
        ...(visit.account === undefined || visit.session.person.isOperator ? {} : { accountId: visit.account.id }),
      },
      run(visit, values),
    ),
})

const toSessions = { to: "/dashboard/sessions" }

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
            <Table
              caption="Your sessions"
              columns={["Browser", "Address", "Since", "Last seen", "Expires if unused", "Action"]}
              rows={all.map((session) => [
                session.browser ?? "unknown",
                session.address ?? "unknown",
                <Time key="since" at={session.createdAt} />,
                <Time key="seen" at={session.seenAt} />,
                <Time key="ends" at={endOf(session)} />,
                session.id === visit.session.id ? (
                  "this one"
                ) : (
                  <Form key="end" visit={visit} action="end" button="End" about={session.id} isInline isDanger>
                    <input type="hidden" name="session" value={session.id} />
                  </Form>
                ),
              ])}
            />
            {all.length > 1 && <Form visit={visit} action="others" button="End all other sessions" isDanger />}
          </>
        ),
      }),
    ),
  actions: {
    end: onOwn("session_end", ({ session }, values) =>
      Effect.flatMap(People, ({ end }) => Effect.as(end(session.person.id, values.get("session") ?? ""), toSessions)),
    ),
    others: onOwn("sessions_end_others", ({ session }) =>
      Effect.flatMap(People, ({ endOthers }) => Effect.as(endOthers(session.person.id, session.id), toSessions)),
    ),
  },
}

const changesPath = "/dashboard/changes"

const changes = ofAccount({
  path: changesPath,
  label: "Changes",
  view: (visit) =>
    Effect.map(performAs(visit, changesList, { limit: pageSize, ...cursorOf(visit) }), (found) => ({
      title: "Changes",
      body: <Lines lines={found.changes} caption="Changes of the account" path={changesPath} next={found.next} />,
    })),
})

/** People, sessions and the log of changes. */
export const peoplePages: ReadonlyArray<Page> = [people, sessions, changes]
