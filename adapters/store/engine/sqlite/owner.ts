import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
  request,
} from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { chdir, cwd, pid, platform, umask } from "node:process"
import { pipeline, Readable } from "node:stream"
import { json } from "node:stream/consumers"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { cannot, StoreError } from "../opening.ts"
import { memory, privately } from "./files.ts"

/*
 * A SQLite file has one owner: the process that holds its lock. Everybody else asks the owner over a socket beside the file.
 * The lock is the operating system's, on a file of its own, so that it ends with the process. The owner's process opens
 * neither that file nor the store by `fs`: closing such a handle would drop the lock.
 */

/** A program that wants a store; its role is `server`, or the words of a command. */
export interface Program {
  readonly role: string
  readonly version: string
}

export const server = "server"

/** The store is this program's until the scope closes. */
export interface Owned {
  readonly _tag: "Owned"
  /**
   * Answers requests, also those that have waited, until the scope closes and what is under way has ended.
   *
   * @param url where this program serves besides, as its links begin
   */
  readonly serve: (listener: RequestListener, url?: string) => Effect.Effect<void, never, Scope.Scope>
  /** Ends when somebody else wants the store; a server keeps it. */
  readonly wanted: Effect.Effect<void>
  /** Asks this program itself. */
  readonly ask: typeof globalThis.fetch
}

/** The store is a server's, which has greeted. */
export interface Asked extends Program {
  readonly _tag: "Asked"
  readonly pid: number
  /** The file that it has open; absent: none yet. */
  readonly store?: string | undefined
  /** Where it serves, as its links begin. */
  readonly url?: string | undefined
  /** Sends one request, on the connection of the greeting. */
  readonly ask: typeof globalThis.fetch
  /** The same by the means of Node alone, which load sooner. */
  readonly post: (path: string, body: Readable) => Promise<IncomingMessage>
}

/** The owner was gone before it had answered, so that nobody knows whether the work was done. */
export class Unsure extends Data.TaggedError("Unsure")<{ readonly message: string; readonly cause?: unknown }> {}

/** Longest silence of an owner, time for the end of what is under way, and for a request behind a greeting; milliseconds. */
const [silentMs, drainMs, greetedMs] = [10_000, 8_000, 200]

/** Real time, even if a test has stopped the clock: the wait is for another process. */
const clock = Clock.make()

/** The name by which all programs lock and find a store. */
const realName = (file: string): string =>
  existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(resolve(file))), basename(file))

const isWindows = platform === "win32"

const socketPath = (file: string): string =>
  isWindows ? `\\\\.\\pipe\\market-signals-${Buffer.from(file).toString("hex").slice(-200)}` : `${file}.sock`

const notePath = (file: string): string => `${file}.owner`

const storeId = (file: string): string | undefined => {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}

/** Bytes of a socket's name with its end: longer ones are cut, by some versions of Node in silence. */
const nameBytes = platform === "linux" ? 108 : 104

/** Runs synchronous work, as bind, connect and the unlink of close are, with a name that is short enough. */
const withShortName = <A>(path: string, work: (name: string) => A): A => {
  if (isWindows || Buffer.byteLength(path) < nameBytes) return work(path)
  const folder = cwd()
  chdir(dirname(path))
  try {
    return work(basename(path))
  } finally {
    chdir(folder)
  }
}

/** Takes the lock until the scope closes; undefined: another process has it. Who meets a server loads no driver. */
const lock = (file: string) =>
  Effect.flatMap(
    Effect.promise(() => import("./driver.ts")),
    ({ open }) =>
      Effect.acquireRelease(
        Effect.try({
          try: () => {
            const db = open(`${file}.server-lock`, { timeout: 0 })
            try {
              db.exec("BEGIN EXCLUSIVE")
              return db
            } catch (error) {
              db.close()
              if (/^SQLITE_BUSY/.test(String((error as NodeJS.ErrnoException).code))) return undefined
              throw error
            }
          },
          catch: (error) => error,
        }),
        (db) => Effect.sync(() => db?.close()),
      ),
  )

/** Requests on one connection. It does not reconnect, because another process could answer then. */
const connection = (path: string) => {
  const sockets = [withShortName(path, (name) => connect(name))]
  const [socket] = sockets
  const agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
    createConnection: () => {
      const only = sockets.pop()
      if (only === undefined) throw new Error("The owner has closed the connection.")
      return only
    },
  })
  const send = (options: RequestOptions, body?: unknown) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({ agent, ...options }, resolve).on("error", reject)
      if (body instanceof Readable) pipeline(body, sent, () => undefined)
      else sent.end(body)
    })
  const post = (path: string, body: Readable) => send({ method: "POST", path, headers: { connection: "close" } }, body)
  const ask: typeof globalThis.fetch = async (target, { method = "GET", headers, body, signal } = {}) => {
    const { pathname, search } = new URL(String(target))
    const given = { ...Object.fromEntries(new Headers(headers)), host: "localhost", connection: "close" }
    const options = { method, path: pathname + search, headers: given, ...(signal ? { signal } : {}) }
    const answer = await send(options, body instanceof ReadableStream ? Readable.fromWeb(body as never) : body)
    const status = answer.statusCode!
    const isEmpty = status === 204 || status === 304
    if (isEmpty) answer.resume()
    const stream = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
    return new Response(stream, { status, headers: new Headers(answer.headers as Record<string, string>) })
  }
  const close = () => {
    agent.destroy()
    socket!.destroy()
  }
  return { send, post, ask, close }
}

/** Greets the owner; undefined: nobody answers. An owner that is no server takes it as a wish to have the store. */
const greet = async (path: string): Promise<(Asked & { readonly close: () => void }) | "ending" | undefined> => {
  const { send, post, ask, close } = connection(path)
  try {
    const headers = { connection: "keep-alive" }
    const answer = await send({ path: "/owner", headers, signal: AbortSignal.timeout(silentMs) })
    const greeting = (await json(answer)) as Omit<Asked, "ask" | "post">
    if (answer.statusCode === 200) return { ...greeting, post, ask, close }
    close()
    return "ending"
  } catch {
    close()
    return undefined
  }
}

/** Who holds a lock and says nothing, as the file beside the store names it. */
const silent = (filename: string, file: string): StoreError => {
  let who = "another process"
  try {
    const { role, pid } = JSON.parse(readFileSync(notePath(file), "utf8")) as Asked
    who = `${role === server ? "a server" : `"${role}"`} (process ${pid})`
  } catch {
    // It was killed while it wrote.
  }
  return new StoreError({ reason: "in-use", message: `${filename} is held by ${who}, which does not answer.` })
}

/** The socket of an owner, until the scope closes. */
const becomeOwner = (file: string, program: Program): Effect.Effect<Owned, StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const path = socketPath(file)
    let [isEnding, working] = [false, 0]
    let serving: Pick<Asked, "store" | "url"> = {}
    const [listening, isWanted] = [yield* Deferred.make<RequestListener>(), yield* Deferred.make<void>()]
    const greeted = new Set<object>()
    const http = createServer({ requestTimeout: 0 }, (request, response) => {
      const send = (status: number, body: object) =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      if (request.url === "/owner") {
        if (isEnding) return send(503, {})
        if (program.role !== server) Deferred.unsafeDone(isWanted, Effect.void)
        greeted.add(request.socket)
        request.socket.once("close", () => greeted.delete(request.socket))
        return send(200, { _tag: "Asked", pid, ...program, ...serving })
      }
      working++
      const closed = new Promise((resolve) => response.once("close", resolve))
      // Work whose asker has gone is ended all the same.
      Effect.runPromise(Deferred.await(listening))
        .then((listener) => Promise.all([closed, listener(request, response)]))
        .catch(() => response.destroy())
        .finally(() => working--)
    })
    const drain = Effect.gen(function* () {
      isEnding = true
      const since = yield* Clock.currentTimeMillis
      const passed = Effect.map(Clock.currentTimeMillis, (now) => now - since)
      while (working > 0 ? (yield* passed) < drainMs : greeted.size > 0 && (yield* passed) < greetedMs)
        yield* Effect.sleep(5)
      http.closeAllConnections()
    }).pipe(Effect.withClock(clock))
    const listen = Effect.async<void, Error>((resume) => {
      http.once("error", (error) => resume(Effect.fail(error))).once("listening", () => resume(Effect.void))
      const mask = umask(0o177)
      try {
        withShortName(path, (name) => http.listen(name))
      } finally {
        umask(mask)
      }
    })
    const clear = () => {
      for (const left of isWindows ? [notePath(file)] : [path, notePath(file)]) rmSync(left, { force: true })
    }
    // Left by a killed owner: whoever has the lock is alone.
    clear()
    writeFileSync(notePath(file), JSON.stringify({ pid, ...program }), { mode: 0o600 })
    yield* Effect.acquireRelease(Effect.mapError(listen, cannot(`listen at ${path}`)), () =>
      Effect.map(drain, () => {
        withShortName(path, () => http.close())
        clear()
      }),
    )
    return {
      _tag: "Owned",
      serve: (listener, url) => {
        serving = { store: storeId(file), url }
        return Effect.acquireRelease(Deferred.succeed(listening, listener), () => drain)
      },
      wanted: Deferred.await(isWanted),
      ask: (target, init) => connection(path).ask(target, init),
    }
  })

/** Nobody else can want a store in memory. */
const alone = (program: Program) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "market-signals-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
  ).pipe(Effect.flatMap((folder) => becomeOwner(join(folder, "store"), program)))

/** @param isReady whether a server that was met is asked; else it is still starting, and waited for */
const seek = (
  filename: string,
  program: Program,
  isReady: (server: Asked) => boolean,
  prepare: Effect.Effect<unknown> = Effect.void,
): Effect.Effect<Owned | Asked, StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    if (filename === memory) return yield* alone(program)
    yield* privately(`${filename}.server-lock`)
    const file = realName(filename)
    const path = socketPath(file)
    // An owner that loads its program answers nobody.
    if (!existsSync(path)) yield* prepare
    let heard = yield* Clock.currentTimeMillis
    for (let tries = 1; ; tries++) {
      const met = yield* Effect.promise(() => greet(path))
      const now = yield* Clock.currentTimeMillis
      if (met === undefined) {
        const locked = yield* Effect.mapError(lock(file), cannot(`lock ${filename}`))
        if (locked !== undefined) return yield* becomeOwner(file, program)
        if (now - heard > silentMs) return yield* silent(filename, file)
      } else heard = now
      if (typeof met === "object") {
        const { close, ...owner } = met
        if (owner.role === server && isReady(owner)) {
          yield* Effect.addFinalizer(() => Effect.sync(close))
          return owner
        }
        close()
        const wait = `Waiting for "${owner.role}" (process ${owner.pid}), which has ${filename}`
        if (tries === 20) yield* Effect.logWarning(wait)
      }
      yield* Effect.sleep(Math.min(50, 5 * tries))
    }
  }).pipe(Effect.withClock(clock))

/**
 * Becomes the owner of a store until the scope closes, or finds the server that is its owner. Any other owner hands over when
 * its work is done, and is waited for.
 *
 * @param prepare what this program loads before it becomes the owner
 */
export const take = (filename: string, program: Program, prepare?: Effect.Effect<unknown>) =>
  Effect.tap(
    seek(filename, program, ({ store }) => store !== undefined, prepare),
    (taken) => {
      if (taken._tag === "Owned" || taken.store === storeId(realName(filename))) return Effect.void
      const message = `The server (process ${taken.pid}) that owns ${filename} has another file open: stop it.`
      return new StoreError({ reason: "in-use", message })
    },
  )

/** The same, where a server must not run. */
export const takeAlone = (filename: string, program: Program): Effect.Effect<Owned, StoreError, Scope.Scope> =>
  Effect.flatMap(
    seek(filename, program, () => true),
    (taken) => {
      if (taken._tag === "Owned") return Effect.succeed(taken)
      const message =
        program.role === server
          ? `Another server is running on ${filename}. Stop it, or give this one its own DATABASE_URL.`
          : `A server (process ${taken.pid}) is running on ${filename}. Stop it first.`
      return new StoreError({ reason: "in-use", message })
    },
  )
