// `npm run snippets`: the programs of adapters/describe/guides/mcp.md with the newest packages of the registry, on a server here.
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { start } from "../support/running.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const text = readFileSync(new URL("../../adapters/describe/guides/mcp.md", import.meta.url), "utf8")
const snippets = Array.from(text.matchAll(/```javascript\n([\s\S]*?)```/g), ([, code]) => code!)
const packages = snippets.map((code) => / from "([^"]+)"/.exec(code)![1]!)

const run = promisify(execFile)
const folder = makeFolder()
const service = await start()
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  // Peers that frameworks name and do not bring.
  const needed = [...packages, "@langchain/core", "zod"]
  const install = ["install", "--no-audit", "--no-fund", "--loglevel=error", ...needed]
  await run("npm", install, { cwd: folder })
  for (const [n, code] of snippets.entries()) {
    const file = join(folder, `${n}.js`)
    writeFileSync(file, code.replace("http://127.0.0.1:8080", service.url))
    const { stdout } = await run(process.execPath, [file], {
      cwd: folder,
      env: { ...process.env, MARKET_SIGNALS_KEY: service.account.live.token },
      timeout: 60_000,
    })
    if (!stdout.includes("weather_signal")) throw new Error(`${packages[n]}: ${stdout}`)
    process.stdout.write(`${packages[n]}: ok\n`)
  }
} finally {
  await service.stop()
  removeFolder(folder)
}
