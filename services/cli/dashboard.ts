import * as Effect from "effect/Effect"
import { peopleVerbs } from "../../adapters/admin/peopleVerbs.ts"
import { command } from "./command.ts"
import { text } from "./parameters.ts"
import { family } from "./parser.ts"
import { table } from "./shared.ts"

const { dashboardLink } = peopleVerbs

type Made = typeof dashboardLink.results.Encoded
type Linked = Made & { readonly url: string }

/** The address of a server with these settings. */
const configuredUrl = Effect.gen(function* () {
  const { baseUrl, config } = yield* Effect.promise(() => import("../Config.ts"))
  return baseUrl(yield* config)
})

/** The link to open, at the server that made it, if there is one. */
const withUrl = (made: Made, server: string | undefined) =>
  Effect.map(server === undefined ? configuredUrl : Effect.succeed(server), (base) => {
    // A server that listens on all networks is reached on this machine.
    const url = base.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
    return { ...made, url: url + made.path }
  })

const account = text("account", "Account id or name. Required, unless --operator is given.")

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
  command("people", peopleVerbs.peopleList, ({ people }) =>
    table(people.map(({ id, name, role, issuer }) => [id, name, role, issuer])),
  ),
  command("role", peopleVerbs.peopleRole, ({ id, role }) => `${id} is ${role}`),
  command("remove", peopleVerbs.peopleRemove, ({ id }) => `removed ${id}`),
  command("sessions", peopleVerbs.sessionsList, ({ sessions }) =>
    table(sessions.map(({ id, seen_at, address = "", browser = "" }) => [id, `seen ${seen_at}`, address, browser])),
  ),
  command("sign-out", peopleVerbs.sessionsEnd, ({ id }) => `ended all sessions of ${id}`),
  command("changes", peopleVerbs.changesList, ({ changes }) =>
    table(changes.map(({ at, who, name, address = "", verb, subject }) => [at, name ?? who, address, verb, subject])),
  ),
])
