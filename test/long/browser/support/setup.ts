import { chromium } from "playwright-core"
import type { TestProject } from "vitest/node"
import { flags, program } from "../../../support/chromium.ts"

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
