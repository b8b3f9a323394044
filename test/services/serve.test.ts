import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { send, token } from "../adapters/server/http/adminClient.ts"
import { freePort } from "../support/freePort.ts"
import { makeFolder, removeFolder } from "../support/store.ts"
import { stripeHost, testKey } from "../support/stripe/host.ts"
import { secret } from "../support/stripe/provider.ts"

const folder = makeFolder()
const children: Array<ChildProcess> = []
afterAll(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
  removeFolder(folder)
})

/** `npm start` in this checkout, over a store of its own, when it serves. */
const started = async (
  settings: Readonly<Record<string, string>> = {},
  isNew = true,
  options: (port: string) => ReadonlyArray<string> = () => [],
) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: String(port),
    DATABASE_URL: `sqlite:${join(folder, `${port}.db`)}`,
    ...settings,
  }
  const child = spawn("npm", ["start", "--", ...options(String(port))], { env, stdio: ["ignore", "pipe", "pipe"] })
  children.push(child)
  const ended = once(child, "exit")
  let output = ""
  await new Promise<void>((found, failed) => {
    void ended.then(([code]) => failed(new Error(`npm start ended with ${code}: ${output}`)))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk
        if (output.includes(isNew ? "dashboard link" : ` on ${url}`)) found()
      })
    }
  })
  return { child, url, env, ended, output: () => output }
}

/** The program that npm started: the shell, or what took its place. */
const startedBy = ({ pid }: ChildProcess): number => {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
  const row = rows.split("\n").find((line) => line.trim().split(/\s+/)[1] === String(pid))
  return Number(row!.trim().split(/\s+/)[0])
}

const serves = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

describe("npm start", { timeout: 120_000 }, () => {
  it("takes payments by card with Stripe's settings", async () => {
    const host = await stripeHost()
    const adminPort = await freePort()
    try {
      const { child, ended } = await started({
        STRIPE_SECRET_KEY: testKey,
        STRIPE_WEBHOOK_SECRET: secret,
        STRIPE_API_URL: host.url,
        ADMIN_TOKEN: token,
        ADMIN_LISTEN: String(adminPort),
      })
      const admin = `http://127.0.0.1:${adminPort}`
      assert.strictEqual((await send(admin, "POST", "accounts", { name: "payer" })).status, 201)
      const { json } = await send(admin, "POST", "accounts/payer/orders", { micros: 5_000_000 })
      assert.isTrue(json.pay_url.startsWith(host.url), JSON.stringify(json))
      child.kill()
      await ended
    } finally {
      host.stop()
    }
  })

  it("offers payments of agents with x402's settings, while their chain is away", async () => {
    const payTo = "0x00000000000000000000000000000000000000aa"
    const { child, url, ended } = await started({
      X402_PAY_TO: payTo,
      X402_NETWORK: "eip155:84532",
      X402_RPC_URL: `http://127.0.0.1:${await freePort()}`,
      X402_PRIVATE_KEY: `0x${"11".repeat(32)}`,
      X402_KEYLESS: "true",
    })
    const { status, headers } = await fetch(`${url}/v1/weather/settlement?station=KNYC`)
    assert.strictEqual(status, 402)
    const { accepts } = JSON.parse(Buffer.from(headers.get("payment-required")!, "base64").toString())
    assert.deepStrictEqual([accepts[0].payTo.toLowerCase(), accepts[0].network], [payTo, "eip155:84532"])
    child.kill()
    await ended
  })

  it("over a named store says how to make an account, a key and a link, by lines that do it", async () => {
    const { child, url, env, ended, output } = await started()
    const lines = output().split("\n")
    const commands = [...output().matchAll(/npm run cli -- [^\n,]+/g)].map(([command]) => command)
    assert.deepStrictEqual(commands, [
      "npm run cli -- account create --name me",
      "npm run cli -- keys create --account me --env live",
      "npm run cli -- dashboard link --account me",
    ])
    assert.strictEqual(lines.filter((line) => line.includes("npm run cli --")).length, 2)
    const run = (command: string) => execFileSync("sh", ["-c", command], { env, encoding: "utf8" })
    const [, key, link] = commands.map((command) => run(`${command} --json`.replace("run cli", "run --silent cli")))
    const answer = await fetch(`${url}/v1/wallet`, { headers: { authorization: `Bearer ${JSON.parse(key!).key}` } })
    assert.strictEqual(answer.status, 200)
    const entrance = JSON.parse(link!).url
    assert.match(entrance, new RegExp(`^${url}/dashboard/enter#\\S+$`))
    const entered = await fetch(entrance, {
      method: "POST",
      body: new URLSearchParams({ code: new URL(entrance).hash.slice(1) }),
      headers: { origin: url, cookie: "cookies=on" },
      redirect: "manual",
    })
    assert.deepStrictEqual([entered.status, entered.headers.has("set-cookie")], [303, true])
    child.kill()
    await ended
    const again = await started({ DATABASE_URL: env.DATABASE_URL }, false)
    again.child.kill()
    await again.ended
    assert.notInclude(again.output(), "npm run cli")
  })

  it("takes address, port and store as options, which go before variables", async () => {
    const file = join(folder, "named.db")
    const elsewhere = { HOST: "192.0.2.1", PORT: "nonsense", DATABASE_URL: "sqlite:/proc/none/store.db" }
    const options = ["--host", "127.0.0.1", "--store", file]
    const { child, url, ended, output } = await started(elsewhere, true, (port) => [...options, "--port", port])
    assert.isTrue(existsSync(file) && (await serves(url)))
    assert.include(output(), `DATABASE_URL=sqlite:${file}: npm run cli -- account create`)
    child.kill()
    await ended
  })

  it.each([
    ["npm", ({ pid }: ChildProcess) => pid!],
    ["the program that npm started", startedBy],
  ])("ends the server when %s is killed by its process id", async (_, pidOf) => {
    const { child, url, ended } = await started()
    assert.isTrue(await serves(url))
    process.kill(pidOf(child))
    await ended
    assert.isFalse(await serves(url))
  })
})
