import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Served {
  readonly url: string
  /** The live key of the account that a first start creates. */
  readonly key: string
}

/** Runs a function against the built server, on mock data with a new store, and stops it. */
export const served = async <A>(
  node: string,
  tree: string,
  env: NodeJS.ProcessEnv,
  use: (served: Served) => Promise<A>,
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "market-signals-runtime-"))
  const child = spawn(node, [join(tree, "dist/services/cli.js"), "serve"], {
    cwd: folder,
    env: { ...env, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = new Promise<void>((end) => child.once("close", () => end()))
  try {
    const found = await new Promise<Served>((resolve, reject) => {
      let output = ""
      const late = setTimeout(() => reject(new Error(`The server is not ready after 60 s.\n${output}`)), 60_000)
      late.unref()
      const read = (text: string) => {
        output += text
        const [url, key] = [/ on (http:\/\/[^\s"]+)/.exec(output)?.[1], /svk_live_\w+/.exec(output)?.[0]]
        if (url !== undefined && key !== undefined) resolve({ url, key })
      }
      child.stdout.setEncoding("utf8").on("data", read)
      child.stderr.setEncoding("utf8").on("data", read)
      child.once("error", reject)
      child.once("close", (code) => reject(new Error(`The server ended with ${code}.\n${output.slice(-2_000)}`)))
    })
    return await use(found)
  } finally {
    child.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}
