import * as Effect from "effect/Effect"
import { command } from "./command.ts"
import { text } from "./parameters.ts"
import { family } from "./parser.ts"
import { table, verbs } from "./shared.ts"

const { dashboardLink } = verbs

type Made = typeof dashboardLink.results.Encoded
type Linked = Made & { readonly url: string }

/** The link as it is opened: at the server that made it, else at `BASE_URL`, or where a server with these settings listens. */
const withUrl = (made: Made, server: string | undefined) =>
  Effect.gen(function* () {
    const { baseUrl, config } = yield* Effect.promise(() => import("../Config.ts"))
    // An address of all networks is opened on this machine.
    const url = (server ?? baseUrl(yield* config))
      .replace("//0.0.0.0:", "//127.0.0.1:")
      .replace("//[::]:", "//[::1]:")
    return { ...made, url: url + made.path }
  })

const account = text("account", "Account id or name. Required, unless --operator is given.")

/** The dashboard: links that sign in, people, and the log of changes. */
export const dashboard = family("dashboard", "The dashboard: sign-in links, people and the log of changes.", [
  command(
    "link",
    dashboardLink,
    ({ url, expires_at }: Linked) => `${url}\nOpen it before ${expires_at}. It works once.`,
    { account },
    ({ account, operator }) =>
      account === undefined && operator !== true
        ? "Give --account A, or --operator for a person who may do everything in every account."
        : undefined,
    withUrl,
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
