import { lstatSync, unlinkSync } from "node:fs"
import { connect } from "node:net"
import { geteuid, umask } from "node:process"
import * as Effect from "effect/Effect"

/** Whether a server answers at a Unix socket. */
const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    const end = (found: boolean) => {
      socket.destroy()
      resolve(found)
    }
    socket.once("connect", () => end(true)).once("error", () => end(false))
  })

/**
 * Makes room for a Unix socket: a server that was killed leaves its file behind. What is no socket, is somebody else's
 * or is answered by a server stays.
 *
 * @returns what is in the way, where something is
 */
export const makeRoom = (path: string): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    if (!found.isSocket()) return `${path} is there and is no socket.`
    if (found.uid !== geteuid?.()) return `${path} is somebody else's socket.`
    if (await answers(path)) return `${path} is in use.`
    unlinkSync(path)
    return undefined
  })

/** Does what makes a file which nobody but its owner may use, from its first moment. */
export const ofOwnerAlone = <A>(make: () => A): A => {
  const before = umask(0o177)
  try {
    return make()
  } finally {
    umask(before)
  }
}
