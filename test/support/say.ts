import { writeSync } from "node:fs"

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Written before it returns: what a killed process has said it has done. Waits while the reader is behind. */
export const say = (line: string): void => {
  let rest = Buffer.from(`${line}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
      Atomics.wait(pause, 0, 0, 1)
    }
  }
}
