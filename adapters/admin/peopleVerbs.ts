import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Param from "../../core/endpoint/Param.ts"
import { shaped } from "../../core/endpoint/shaped.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import { ChangeLog, type LoggedChange } from "../../core/people/Change.ts"
import { type Code, invitationLifeMs, People, signInLinkLifeMs } from "../../core/people/People.ts"
import { type Person, type Role, roles } from "../../core/people/Person.ts"
import { iso } from "../../core/time.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { accountParam, findAccountBy } from "./inputs.ts"
import { list, parseNumericCursor } from "./list.ts"

const peopleService = Effect.serviceFunctions(People)

const name = Param.text(64, "Name of the person, unique within the account.")
const role = Param.oneOf(roles, "A viewer reads. An owner also changes keys, agents, webhooks and people.")
const person = { person: Param.text(64, "Person id.") }

const Member = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  issuer: Schema.String,
  role: Schema.Literal(...roles),
  created_at: Schema.String,
})

const memberShape = shaped(Member)

const toMember = ({ person, role }: { readonly person: Person; readonly role: Role }): typeof Member.Type =>
  memberShape({ ...person, role })

/** The path with a sign-in code. The code is in the fragment, which browsers do not send, so that no log has it. */
const Link = Schema.Struct({ path: Schema.String, expires_at: Schema.String })

const toLink = ({ code, expiresAt }: Code): typeof Link.Type => ({
  path: `/dashboard/enter#${Redacted.value(code)}`,
  expires_at: iso(expiresAt),
})

const Line = Schema.Struct({
  seq: Schema.Number,
  at: Schema.String,
  who: Schema.String,
  name: Param.optional(Schema.String),
  address: Param.optional(Schema.String),
  verb: Schema.String,
  subject: Schema.String,
})

const toLine: (of: LoggedChange) => typeof Line.Type = shaped(Line)

const SessionShape = Schema.Struct({
  id: Schema.String,
  created_at: Schema.String,
  seen_at: Schema.String,
  address: Param.optional(Schema.String),
  browser: Param.optional(Schema.String),
})

const toSession = shaped(SessionShape)

/** Verbs for people, their roles and sessions, and the log of changes. */
export const peopleVerbs = {
  dashboardLink: AdminOperation.make("dashboard_link", "POST dashboard-links", {
    summary: "Create a link that signs one person in to the dashboard, once, within 10 minutes",
    success: 201,
    params: Schema.Struct({
      account: Param.optional(Param.text(64, "Account id or name.")),
      name: Param.optional(Param.text(64, "Name of the person (default `local`).")),
      role: Param.optional(role),
      operator: Param.optional(Param.boolean("The person may do everything in every account.")),
    }),
    results: Link,
    run: ({ account, name = "local", role = "owner", operator: isOperator = false }, { who: invitedBy }) =>
      Effect.map(
        peopleService.invite({
          ...ifDefined("account", account),
          name,
          role,
          isOperator,
          invitedBy,
          lifeMs: signInLinkLifeMs,
        }),
        toLink,
      ),
  }),

  peopleList: list("people_list", "accounts/:account/people", {
    leastRole: "viewer",
    summary: "List the people of an account and their roles, the newest first",
    params: accountParam,
    rows: ["people", Member],
    key: ({ person }) => person.id,
    read: ({ account }, page) => peopleService.members(account, page),
    show: toMember,
  }),

  peopleInvite: AdminOperation.make("people_invite", "POST accounts/:account/people", {
    leastRole: "owner",
    summary: "Invite a person to an account: a link that signs in once, within 7 days",
    success: 201,
    params: Schema.Struct({ ...accountParam, name, role }),
    results: Link,
    run: ({ account, name, role }, { who: invitedBy }) =>
      Effect.map(
        peopleService.invite({ account, name, role, isOperator: false, invitedBy, lifeMs: invitationLifeMs }),
        toLink,
      ),
  }),

  peopleRole: AdminOperation.make("people_role", "PATCH accounts/:account/people/:person", {
    leastRole: "owner",
    summary: "Change a person's role in an account",
    params: Schema.Struct({ ...accountParam, ...person, role }),
    results: Schema.Struct({ id: Schema.String, role: Schema.Literal(...roles) }),
    run: ({ account, person: id, role }) => Effect.as(peopleService.setRole(account, id, role), { id, role }),
  }),

  peopleRemove: AdminOperation.make("people_remove", "POST accounts/:account/people/:person/remove", {
    leastRole: "owner",
    summary: "Remove a person from an account: open sessions and webhooks to its e-mail address stop at once",
    params: Schema.Struct({ ...accountParam, ...person }),
    results: Schema.Struct({ id: Schema.String, removed: Schema.Literal(true) }),
    run: ({ account, person: id }) =>
      Effect.as(peopleService.setRole(account, id, undefined), { id, removed: true as const }),
  }),

  sessionsList: AdminOperation.make("sessions_list", "GET people/:person/sessions", {
    summary: "List a person's open sessions, newest first",
    params: Schema.Struct(person),
    results: Schema.Struct({ sessions: Schema.Array(SessionShape) }),
    run: ({ person: id }) => Effect.map(peopleService.sessions(id), (all) => ({ sessions: all.map(toSession) })),
  }),

  sessionsEnd: AdminOperation.make("sessions_end", "POST people/:person/sessions/end", {
    summary: "End all of a person's sessions",
    params: Schema.Struct(person),
    results: Schema.Struct({ id: Schema.String, ended: Schema.Literal(true) }),
    run: ({ person: id }) => Effect.as(peopleService.endOthers(id), { id, ended: true as const }),
  }),

  changesList: list("changes_list", "accounts/:account/changes", {
    leastRole: "viewer",
    summary: "List the changes of an account: who did what, newest first",
    params: accountParam,
    rows: ["changes", Line],
    key: ({ seq }) => String(seq),
    read: Effect.fnUntraced(function* ({ account }, page) {
      const { accountId } = yield* findAccountBy["account"]!(account)
      return yield* (yield* ChangeLog).page({ accountId, ...(yield* parseNumericCursor(page)) })
    }),
    show: toLine,
  }),
}
