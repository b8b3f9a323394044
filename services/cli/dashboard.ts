import { command } from "./command.ts"
import { family } from "./family.ts"
import { table, verbs } from "./shared.ts"

/** The dashboard: links that sign in, people, and the log of changes. */
export const dashboard = family("dashboard", "The dashboard: sign-in links, people and the log of changes.", [
  command(
    "link",
    verbs.dashboardLink,
    ({ path, expires_at }) => `${path}\nOpen it on the server's address before ${expires_at}. It works once.`,
  ),
  command("people", verbs.peopleList, ({ people }) =>
    table(people.map(({ id, name, role, issuer }) => [id, name, role, issuer])),
  ),
  command("role", verbs.peopleRole, ({ id, role }) => `${id} is ${role}`),
  command("remove", verbs.peopleRemove, ({ id }) => `removed ${id}`),
  command("sessions", verbs.sessionsList, ({ sessions }) =>
    table(sessions.map(({ id, seen_at, address = "", browser = "" }) => [id, `seen ${seen_at}`, address, browser])),
  ),
  command("sign-out", verbs.sessionsEnd, ({ id }) => `ended all sessions of ${id}`),
  command("changes", verbs.changesList, ({ changes }) =>
    table(changes.map(({ at, who, name, address = "", verb, subject }) => [at, name ?? who, address, verb, subject])),
  ),
])
