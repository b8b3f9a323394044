import { spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { freePort } from "../../support/freePort.ts"
import { require as installed } from "../installed.ts"

const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" }

/** The program that `npm run test:rest` installs. */
const program = (): string => {
  const require = createRequire(installed.resolve("@foundry-rs/anvil/package.json"))
  const own = `@foundry-rs/anvil-${process.platform}-${architectures[process.arch] ?? process.arch}`
  return join(dirname(require.resolve(`${own}/package.json`)), "bin", "anvil")
}

/** Ends the program with its standard input, which closes also when this process is killed. */
const guard = '"$@" & child=$!; cat > /dev/null; kill -9 $child; wait $child 2> /dev/null'

/** A chain of its own on a port of this machine, which mines a block for each transaction. */
export const anvil = async (chainId = 31_337) => {
  const url = `http://127.0.0.1:${await freePort()}`
  const options = ["--port", new URL(url).port, "--chain-id", String(chainId), "--accounts", "1", "--silent"]
  const shell = spawn("sh", ["-c", guard, "sh", program(), "--host", "127.0.0.1", ...options], {
    stdio: ["pipe", "ignore", "inherit"],
  })
  const ended = once(shell, "exit")
  const rpc = async (method: string, ...params: ReadonlyArray<unknown>): Promise<unknown> => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    })
    const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } }
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const stop = async (): Promise<void> => {
    shell.stdin.end()
    await ended
  }
  for (let tries = 200; ; tries--) {
    try {
      await rpc("eth_chainId")
      return { url, chainId, rpc, stop }
    } catch (error) {
      if (tries === 0 || shell.exitCode !== null) {
        await stop()
        throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

export type Anvil = Awaited<ReturnType<typeof anvil>>
