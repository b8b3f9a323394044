import { lstatSync, unlinkSync } from "node:fs"
import { connect } from "node:net"
import { geteuid, umask } from "node:process"
import * as Effect from "effect/Effect"

/** Whether a server accepts connections at a Unix socket. */
const isInUse = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    const end = (found: boolean) => {
      socket.destroy()
      resolve(found)
    }
    socket.once("connect", () => end(true)).once("error", () => end(false))
  })

/**
 * Removes the socket file of a killed server. A file that is not a socket, has another owner or is in use stays.
 *
 * @returns why the path cannot be used, if so
 */
export const removeStale = (path: string): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    const socketFile = lstatSync(path, { throwIfNoEntry: false })
    if (socketFile === undefined) return undefined
    if (!socketFile.isSocket()) return `${path} exists and is not a socket.`
    if (socketFile.uid !== geteuid?.()) return `${path} belongs to another user.`
    if (await isInUse(path)) return `${path} is in use.`
    unlinkSync(path)
    return undefined
  })

/** Runs `make` with a umask under which only the owner may use the new file, from its creation. */
export const withOwnerUmask = <A>(make: () => A): A => {
  const before = umask(0o177)
  try {
    return make()
  } finally {
    umask(before)
  }
}
