// The attacks of the security review against a server on loopback, at the specification's sizes, while a customer pays: without a key
// and with a free test key. A bar is missed where a call takes over three times the quiet p99 for more than a second.
// `--only 3,4` chooses findings.
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { define, runCase } from "../load/driver.ts"
import { pause, quantile } from "../load/measure.ts"
import { adopt, read, reset } from "../load/servers.ts"
import { type Attack, attacks } from "./attacks.ts"
import { longestAbove, pay } from "./payer.ts"
import { type Besieged, besieged, sizes } from "./world.ts"

/** Floor of the quiet p99, ms: below it, three times as long is noise. */
const leastP99 = 10

/** Runs an attack while the customer pays. */
const attacked = async ({ server, keys }: Besieged, attack: Attack, seconds: number, key: string | undefined) => {
  const arms = { url: server.url, keys: { poor: keys.poor, others: keys.others }, seconds, key }
  const program = fileURLToPath(new URL("attacks.ts", import.meta.url))
  const words = ["--import", "tsx", program, attack.name, JSON.stringify(arms)]
  const child = adopt(spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] }))
  await reset(server)
  // The attacker takes about a second to load; the customer runs from before until after the attack.
  const [samples, results] = await Promise.all([
    pay(server.url, keys.payer, attack.payer ?? "signal", seconds + 2),
    text(child.stdout!),
  ])
  return { samples, results, seen: await read(server) }
}

export const load = define(
  { quiet: [6, 2], seconds: [12, 3], ...sizes, only: "" },
  async ({ options: { quiet, seconds, only, ...counts }, folder, print, row }) => {
    const world = await besieged(folder, counts)
    for (const attack of attacks) {
      if (only !== "" && !only.split(",").includes(String(attack.finding))) continue
      const kind = attack.payer ?? "signal"
      const calm = await pay(world.server.url, world.keys.payer, kind, quiet + (kind === "signal" ? 0 : 2))
      if (calm.some(({ status }) => status !== 200)) throw new Error("A customer's quiet call was not answered.")
      const p99 = (samples: typeof calm) =>
        quantile(
          samples.map(({ ms }) => ms),
          0.99,
        )
      const floor = Math.max(p99(calm), leastP99)
      for (const key of attack.needsKey === true ? [world.keys.tests[0]] : [undefined, world.keys.tests[0]]) {
        const { samples, results, seen } = await attacked(world, attack, seconds, key)
        row(
          `${attack.finding} ${attack.name}, ${key === undefined ? "no" : "test"} key`,
          {
            ...{ "quiet p99": p99(calm), p99: p99(samples), ratio: p99(samples) / floor },
            "ms above 3 ×": longestAbove(samples, 3 * floor),
            ...{ "max delay": seen.maxDelayMs, "turn ms": seen.longestMs, "CPU %": 100 * seen.cpuShare },
            failed: samples.filter(({ status }) => status !== 200).length,
          },
          { "ms above 3 ×": { most: 1_000 } },
        )
        print(`   ${results}`)
        await pause(500)
      }
    }
  },
)

if (process.argv[1] === fileURLToPath(import.meta.url)) await runCase(load, process.argv.slice(2))
