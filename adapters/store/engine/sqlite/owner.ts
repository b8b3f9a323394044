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
import { StoreError, toStoreError } from "../opening.ts"
import { createPrivate, memory } from "./files.ts"

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

export const serverRole = "server"

/** This program owns the store until the scope closes. */
export interface Owned {
  readonly _tag: "Owned"
  /**
   * Answers requests, also those that have waited, until the scope closes and what is under way has ended.
   *
   * @param url the base URL of this program's server
   */
  readonly serve: (listener: RequestListener, url?: string) => Effect.Effect<void, never, Scope.Scope>
  /** Ends when somebody else wants the store; a server keeps it. */
  readonly wanted: Effect.Effect<void>
  /** Asks this program itself. */
  readonly ask: typeof globalThis.fetch
}

/** A server owns the store, and has answered the greeting. */
export interface OtherOwner extends Program {
  readonly _tag: "Asked"
  readonly pid: number
  /** The id of the file that it has open; absent: none yet. */
  readonly store?: string | undefined
  /** The base URL of its server. */
  readonly url?: string | undefined
  /** Sends one request, on the connection of the greeting. */
  readonly ask: typeof globalThis.fetch
  /** Sends a POST with Node's own client, which loads sooner than `fetch`. */
  readonly post: (path: string, body: Readable) => Promise<IncomingMessage>
}

/** The owner ended before it answered, so that it is not known whether the work was done. */
export class OwnerLost extends Data.TaggedError("OwnerLost")<{ readonly message: string; readonly cause?: unknown }> {}

/** Longest silence of an owner, time for running work to end, and time between greeting and request; milliseconds. */
const [maxSilenceMs, drainMs, greetingMs] = [10_000, 8_000, 200]

/** Real time, even if a test has stopped the clock: the wait is for another process. */
const clock = Clock.make()

/** The path by which all programs lock and find a store. */
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

/** Maximum bytes of a socket's name with its terminator: longer ones are cut, by some versions of Node silently. */
const maxNameBytes = platform === "linux" ? 108 : 104

/** Runs synchronous work, such as bind, connect and the unlink at close, with a name that is short enough. */
const withShortName = <A>(path: string, work: (name: string) => A): A => {
  if (isWindows || Buffer.byteLength(path) < maxNameBytes) return work(path)
  const folder = cwd()
  chdir(dirname(path))
  try {
    return work(basename(path))
  } finally {
    chdir(folder)
  }
}

/** Takes the lock until the scope closes; undefined: another process has it. The driver is loaded only here. */
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

/** Greets the owner; undefined: nobody answers. An owner that is not a server learns that its store is wanted. */
const greet = async (path: string): Promise<(OtherOwner & { readonly close: () => void }) | "ending" | undefined> => {
  const { send, post, ask, close } = connection(path)
  try {
    const headers = { connection: "keep-alive" }
    const answer = await send({ path: "/owner", headers, signal: AbortSignal.timeout(maxSilenceMs) })
    const greeting = (await json(answer)) as Omit<OtherOwner, "ask" | "post">
    if (answer.statusCode === 200) return { ...greeting, post, ask, close }
    close()
    return "ending"
  } catch {
    close()
    return undefined
  }
}

/** The error for an owner that does not answer, which the file beside the store names. */
const silentOwner = (filename: string, file: string): StoreError => {
  let who = "another process"
  try {
    const { role, pid } = JSON.parse(readFileSync(notePath(file), "utf8")) as OtherOwner
    who = `${role === serverRole ? "a server" : `"${role}"`} (process ${pid})`
  } catch {
    // The owner was killed while it wrote the file.
  }
  return new StoreError({ reason: "in-use", message: `${filename} is held by ${who}, which does not answer.` })
}

/** The socket of an owner, until the scope closes. */
const becomeOwner = (file: string, program: Program): Effect.Effect<Owned, StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const path = socketPath(file)
    let [isEnding, working] = [false, 0]
    let serving: Pick<OtherOwner, "store" | "url"> = {}
    const [listening, isWanted] = [yield* Deferred.make<RequestListener>(), yield* Deferred.make<void>()]
    const greeted = new Set<object>()
    const http = createServer({ requestTimeout: 0 }, (request, response) => {
      const send = (status: number, body: object) =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      if (request.url === "/owner") {
        if (isEnding) return send(503, {})
        if (program.role !== serverRole) Deferred.unsafeDone(isWanted, Effect.void)
        greeted.add(request.socket)
        request.socket.once("close", () => greeted.delete(request.socket))
        return send(200, { _tag: "Asked", pid, ...program, ...serving })
      }
      working++
      const closed = new Promise((resolve) => response.once("close", resolve))
      // Work goes on to its end even if its client has gone.
      Effect.runPromise(Deferred.await(listening))
        .then((listener) => Promise.all([closed, listener(request, response)]))
        .catch(() => response.destroy())
        .finally(() => working--)
    })
    const drain = Effect.gen(function* () {
      isEnding = true
      const since = yield* Clock.currentTimeMillis
      const passed = Effect.map(Clock.currentTimeMillis, (now) => now - since)
      while (working > 0 ? (yield* passed) < drainMs : greeted.size > 0 && (yield* passed) < greetingMs)
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
    // Left by a killed owner: the lock rules out a running one.
    clear()
    writeFileSync(notePath(file), JSON.stringify({ pid, ...program }), { mode: 0o600 })
    yield* Effect.acquireRelease(Effect.mapError(listen, toStoreError(`listen at ${path}`)), () =>
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

/** The owner of a store in memory, which no other process can want. */
const ownMemory = (program: Program) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "market-signals-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
  ).pipe(Effect.flatMap((folder) => becomeOwner(join(folder, "store"), program)))

/** @param isReady whether a server that owns the store is returned; otherwise it is still starting, and is waited for */
const acquire = (
  filename: string,
  program: Program,
  isReady: (server: OtherOwner) => boolean,
  prepare: Effect.Effect<unknown> = Effect.void,
): Effect.Effect<Owned | OtherOwner, StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    if (filename === memory) return yield* ownMemory(program)
    yield* createPrivate(`${filename}.server-lock`)
    const file = realName(filename)
    const path = socketPath(file)
    // Loads the program before this process becomes the owner: an owner that is loading cannot answer.
    if (!existsSync(path)) yield* prepare
    let lastHeard = yield* Clock.currentTimeMillis
    for (let tries = 1; ; tries++) {
      const met = yield* Effect.promise(() => greet(path))
      const now = yield* Clock.currentTimeMillis
      if (met === undefined) {
        const locked = yield* Effect.mapError(lock(file), toStoreError(`lock ${filename}`))
        if (locked !== undefined) return yield* becomeOwner(file, program)
        if (now - lastHeard > maxSilenceMs) return yield* silentOwner(filename, file)
      } else lastHeard = now
      if (typeof met === "object") {
        const { close, ...owner } = met
        if (owner.role === serverRole && isReady(owner)) {
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
    acquire(filename, program, ({ store }) => store !== undefined, prepare),
    (taken) => {
      if (taken._tag === "Owned" || taken.store === storeId(realName(filename))) return Effect.void
      const message = `The server (process ${taken.pid}) that owns ${filename} has another file open: stop it.`
      return new StoreError({ reason: "in-use", message })
    },
  )

/** Becomes the owner of a store; fails if a server owns it. */
export const takeAlone = (filename: string, program: Program): Effect.Effect<Owned, StoreError, Scope.Scope> =>
  Effect.flatMap(
    acquire(filename, program, () => true),
    (taken) => {
      if (taken._tag === "Owned") return Effect.succeed(taken)
      const message =
        program.role === serverRole
          ? `Another server is running on ${filename}. Stop it, or give this one its own DATABASE_URL.`
          : `A server (process ${taken.pid}) is running on ${filename}. Stop it first.`
      return new StoreError({ reason: "in-use", message })
    },
  )
