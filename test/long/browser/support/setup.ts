import type { TestProject } from "vitest/node"
import { flags, program } from "../../../../bench/tools/chromium.ts"
import { require } from "../../installed.ts"

// Vitest looks for the packages of a global set-up in the root alone.
const { chromium }: typeof import("playwright-core") = require("playwright-core")

declare module "vitest" {
  export interface ProvidedContext {
    readonly browserAddress: string
  }
}

/** One browser for the run; each test opens a context of its own in it. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const server = await chromium.launchServer({ executablePath: program()!, args: [...flags] })
  provide("browserAddress", server.wsEndpoint())
  return () => server.close()
}
