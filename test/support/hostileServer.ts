import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { modules } from "../../adapters/lanes/all.ts"
import { laneVariables } from "../../services/config/lanes.ts"
import { send } from "../adapters/server/http/adminClient.ts"
import { freePort } from "./freePort.ts"
import { type Child, start } from "./processes.ts"

/** A server of the product in a process of its own, as an operator starts it. */
export interface HostileServer {
  readonly url: string
  /** Address of the admin API, which has its own listener. */
  readonly adminUrl: string
  readonly child: Child
  /** Everything it wrote, on both of its outputs. */
  readonly log: () => string
  /** Ends it as an operator would; the exit code. */
  readonly stop: () => Promise<number | null>
}

export const adminToken = "hostile-admin-token-of-48-characters-0123456789ab"

/** No upstream is ever asked: what a configuration does not name is a port on which nothing listens. */
export const upstreamsNowhere: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(laneVariables(modules).upstreams)
    // A source without an address is not asked.
    .filter(({ defaultText }) => defaultText !== "not asked")
    .map(({ name }) => [name, "http://127.0.0.1:9"]),
)

/** What the environment of a server over a store is, but for what a test changes. */
export const environmentOf = (
  file: string,
  port: number,
  changes: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  ...upstreamsNowhere,
  DATABASE_URL: `sqlite:${file}`,
  PORT: String(port),
  ADMIN_TOKEN: adminToken,
  ...changes,
})

/** Resolves with the address when a server says where it listens. */
export const listening = async (child: Child): Promise<string> => {
  for (let count = 1; ; count++) {
    const lines = await child.linesUntil(count)
    const url = /market-signals on (http:\/\/[^\s"]+)/.exec(lines[count - 1]!)?.[1]
    if (url !== undefined) return url
  }
}

/** CPU time that a process has used so far, milliseconds; undefined where there is no /proc. */
export const cpuMs = ({ child }: HostileServer): number | undefined => {
  try {
    const fields = readFileSync(`/proc/${child.process.pid}/stat`, "utf8").split(") ")[1]!.split(" ")
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return undefined
  }
}

/** Starts `services/server.ts` over a store and waits until it serves. */
export const serve = async (
  file: string,
  changes: Readonly<Record<string, string>> = {},
  program = "services/server.ts",
): Promise<HostileServer> => {
  const [port, adminPort] = [await freePort(), await freePort()]
  const child = start(program, [], environmentOf(file, port, { ADMIN_LISTEN: String(adminPort), ...changes }))
  const url = await listening(child)
  return {
    url,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    child,
    log: () => `${child.lines.join("\n")}\n${child.stderr()}`,
    stop: () => {
      child.process.kill("SIGTERM")
      return child.ended
    },
  }
}

/** The answer of the admin API to a verb, such as `POST accounts` with its body; fails where it is refused. */
// biome-ignore lint/suspicious/noExplicitAny: the wire brings it
export const asOperator = async ({ adminUrl }: HostileServer, route: string, body?: object): Promise<any> => {
  const [method, path] = route.split(" ") as [string, string]
  const { status, text, json } = await send(adminUrl, method, path, body, { authorization: `Bearer ${adminToken}` })
  assert.ok(status < 300, `${route}: ${text}`)
  return json
}
