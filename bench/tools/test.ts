// `npm test`: types and lint beside the tests of units and of services, then the short proof. `npm run test:rest`: what
// that leaves out: the long proof, PostgreSQL, the other runtimes, and pages in Chromium.
import { spawn } from "node:child_process"

interface Command {
  readonly name: string
  readonly line: string
  readonly env?: Readonly<Record<string, string>>
}

const vitest = (name: string, ...args: ReadonlyArray<string>): Command => ({
  name,
  line: ["vitest run --passWithNoTests", ...args].join(" "),
})

const proof = (part: "short" | "long"): Command => ({
  ...vitest(`${part} proof`, "--project proof"),
  env: { PROOF: part },
})

/** Steps, each of commands that run at once. */
const steps: Readonly<Record<string, ReadonlyArray<ReadonlyArray<Command>>>> = {
  short: [
    [
      vitest("unit and service", "--project unit --project service"),
      { name: "check", line: "npm run -s check && npm run -s test:deno" },
    ],
    [proof("short"), vitest("the ledger on PostgreSQL", "--project postgres ledger law")],
  ],
  rest: [
    [proof("long")],
    // The tests of PostgreSQL wait for a third of their time.
    [
      vitest("PostgreSQL", "--project postgres"),
      // All tests on every version of Node take an hour: npm run test:runtimes.
      { name: "runtimes", line: "npm run -s test:runtimes -- --quick" },
    ],
    [vitest("browser", "--project browser")],
  ],
}

/** The first command of a step writes as it goes, others when they end. */
const run = ({ name, line, env }: Command, isFirst: boolean): Promise<boolean> =>
  new Promise((ended) => {
    const started = performance.now()
    const child = spawn(line, { shell: true, env: { ...process.env, ...env }, stdio: isFirst ? "inherit" : "pipe" })
    const output: Array<Buffer> = []
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk))
    child.on("close", (code) => {
      process.stdout.write(Buffer.concat(output))
      const seconds = ((performance.now() - started) / 1_000).toFixed(0)
      process.stdout.write(`\n${name}: ${code === 0 ? "passed" : "FAILED"} in ${seconds} s\n\n`)
      ended(code === 0)
    })
  })

const wanted = steps[process.argv[2] ?? "short"]
if (wanted === undefined) throw new Error(`one of: ${Object.keys(steps).join(", ")}`)
for (const step of wanted) {
  const passed = await Promise.all(step.map((command, n) => run(command, n === 0)))
  if (passed.includes(false)) process.exit(1)
}
