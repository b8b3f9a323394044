import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commandLine } from "../../support/commandLine.ts"
import * as processes from "../../support/processes.ts"
import { answering, ok, type Receiver, receiver } from "../../support/receiver.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()
const file = join(folder, "store.db")
const both = "agent.budget_warning,agent.budget_exceeded"

let to: Receiver
let server: processes.Child
let environment: Record<string, string>
beforeAll(async () => {
  to = await receiver()
  const free = await receiver()
  await free.stop()
  environment = { DATABASE_URL: `sqlite:${file}`, WEBHOOK_ALLOW_HOSTS: ` ${to.host} , localhost:9` }
  server = processes.start("services/server.ts", [], { ...environment, PORT: new URL(free.url).port })
  await server.linesUntil(1)
})
afterAll(async () => {
  server.process.kill("SIGKILL")
  await to.stop()
  removeFolder(folder)
})

const cli = (line: string) => commandLine(file, environment).cli(line)
const parsed = (line: string) => commandLine(file, environment).parsed(line)

/** Each `it` continues the one before it, as an operator does while a server runs. */
describe.sequential("webhooks on the command line", () => {
  let made: { readonly id: string; readonly secret: string }

  it("one is made and listed; its secret is shown once", async () => {
    await parsed("account create --name acme")
    made = await parsed(`webhooks create --account acme --url ${to.url}/in --events ${both}`)
    assert.match(made.secret, /^whsec_/)
    const people = await cli(
      `webhooks create --account acme --url https://hooks.invalid/in --events agent.budget_warning`,
    )
    assert.match(
      people.stdout,
      /^whk_\w+ {2}active {2}agent\.budget_warning {2}https:\/\/hooks\.invalid\/in\nwhsec_\S+\n/,
    )
    assert.match(people.stdout, /hooks\.invalid does not resolve\. Deliveries are attempted anyway\.$/)
    const { webhooks } = await parsed("webhooks list --account acme")
    assert.deepStrictEqual(
      webhooks.map(({ url }: { readonly url: string }) => url),
      [`${to.url}/in`, "https://hooks.invalid/in"],
    )
    const lines = await cli("webhooks list --account acme")
    assert.lengthOf(lines.stdout.split("\n"), 2)
    assert.notInclude(JSON.stringify(webhooks) + lines.stdout, "whsec_")
    await parsed(`webhooks delete ${webhooks[1].id}`)
  })

  it("a test arrives through the server, and deliveries say so", async () => {
    const { event } = await parsed(`webhooks test ${made.id}`)
    await to.until((all) => all.some(({ id }) => id === event))
    const { deliveries } = await parsed(`webhooks deliveries ${made.id} --event ${event}`)
    assert.deepInclude(deliveries[0], { event, type: "agent.budget_warning", cause: "test" })
    assert.match((await cli(`webhooks test ${made.id} --type agent.budget_exceeded`)).stdout, /^queued [0-9a-f-]{36}$/)
  })

  it("a failure shows its error and next retry; the receiver's text cannot control the terminal", async () => {
    to.answers(answering(503, {}, "\u001b[31mdown"))
    const { event } = await parsed(`webhooks test ${made.id}`)
    await to.until((all) => all.some(({ id }) => id === event))
    const failed = async (): Promise<string> => {
      const { stdout } = await cli(`webhooks deliveries ${made.id} --event ${event}`)
      return stdout.includes("next attempt") ? stdout : failed()
    }
    assert.match(
      await failed(),
      new RegExp(
        String.raw`^${event}  agent\.budget_warning  test  next attempt 20\S+Z  \d attempts?  status 503 Service Unavailable "\\u001b\[31mdown"$`,
      ),
    )
    to.answers(ok)
  })

  const refused: ReadonlyArray<readonly [string, RegExp]> = [
    [`webhooks create --account acme --url http://hooks.example.com --events ${both}`, /--url: .*https:\/\/ address/],
    [
      `webhooks create --account acme --url https://127.0.0.1/x --events ${both}`,
      /--url: must lead to the public internet/,
    ],
    [
      "webhooks create --account acme --url https://hooks.example.com --events job.failed",
      /events: job\.failed is reserved and never sent\. Use one of /,
    ],
    [
      "webhooks create --account acme --url https://hooks.example.com --events agent.budget_warning,",
      /events must be text of 1 to 64 characters/,
    ],
    [
      `webhooks create --account nobody --url https://hooks.example.com --events ${both}`,
      /There is no account "nobody"/,
    ],
    ["webhooks replay whk_0", /event: Send exactly one of event, last or dead_letters\./],
    ["webhooks pause whk_0", /No webhook has this id\./],
    ["webhooks rotate whk_0 --overlap 2d", /--overlap: must be an integer from 0 to 86400/],
    ["webhooks deliveries whk_0 --limit 1001", /--limit: must be an integer from 1 to 1000/],
  ]
  it("an invalid command is refused with its reason", async () => {
    for (const [line, message] of refused) {
      const { code, stderr } = await cli(line)
      assert.strictEqual(code, /^(There is no|No webhook)/.test(stderr) ? 1 : 2, line)
      assert.match(stderr, message, line)
      assert.notMatch(stderr, /\n {4}at |\[object /, line)
    }
    // Beside a server its settings count; without one the command's own.
    const alone = commandLine(join(folder, "alone.db"), { WEBHOOK_ALLOW_HOSTS: "http://localhost" })
    const { code, stderr } = await alone.cli("account create --name x")
    assert.strictEqual(code, 1)
    assert.match(stderr, /Expected comma-separated hosts such as localhost/)
  })

  it("the server ends on a signal, and its log has no secret", { timeout: 400_000 }, async () => {
    server.process.kill("SIGTERM")
    await server.ended
    const log = server.lines.join("\n") + server.stderr()
    assert.notInclude(log, made.secret.slice(6))
  })
})
