/*
 * Runs the protocol's own conformance suite, which needs Node 22 and comes from the registry: `npm run conformance`.
 * Once against the service, once against a fixture server on the same transports. What is listed below is not offered.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "../support/running.ts"
import { startEverything } from "./servers.ts"

const suite = "@modelcontextprotocol/conformance@0.1.16"

/** What needs a session, and none is issued: requests of the server to its client, and streams of one session. */
const sessions = [
  "server-sse-multiple-streams",
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
]

/** What only a fixture has: tools of given names, and parts of the protocol besides tools. */
const fixturesOnly = [
  "logging-set-level",
  "completion-complete",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-error",
  "tools-call-with-progress",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
]

const folder = mkdtempSync(join(tmpdir(), "conformance-"))

/** Whether every scenario ends as expected: a listed one that passes is a failure too. */
const conforms = async (name: string, url: string, notOffered: ReadonlyArray<string>): Promise<boolean> => {
  const baseline = join(folder, `${name}.yml`)
  writeFileSync(baseline, ["server:", ...notOffered.map((each) => `  - ${each}`), ""].join("\n"))
  const asked = ["-y", "-p", "node@22", "-p", suite, "conformance", "server", "--url", `${url}/mcp`]
  const child = spawn("npx", [...asked, "--expected-failures", baseline], { cwd: folder, stdio: "inherit" })
  const [code] = await once(child, "exit")
  return code === 0
}

const service = await start()
const everything = await startEverything()
const ended = [
  await conforms("service", service.url, [...sessions, ...fixturesOnly]),
  await conforms("everything", everything.url, sessions),
]
await Promise.all([service.stop(), everything.stop()])
rmSync(folder, { recursive: true, force: true })
process.exitCode = ended.every(Boolean) ? 0 : 1
