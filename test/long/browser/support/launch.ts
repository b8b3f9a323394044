import { type Browser, chromium } from "playwright-core"
import { flags } from "../../../../bench/tools/chromium.ts"

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...flags] })
