// Pictures of every page, to look at: 1280 and 390 pixels wide, light and dark, those of the dashboard as an owner sees
// them, and the operator's as an operator. With Chromium from the system's packages (CHROMIUM names another one), into var/shots. Arguments are paths; none: all
// pages, and the page to top up and the wallet once more as an owner sees them who has paid by card.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { allPages } from "../../../adapters/web/dashboard/pages/all.ts"
import * as Chromium from "../../../bench/tools/chromium.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { iso } from "../../../core/time.ts"
import { signIn } from "../../adapters/web/dashboard/visitor.ts"
import { newestCall } from "../../support/newestCall.ts"
import { start } from "../../support/running.ts"
import { takingPayments } from "../../support/stripe/running.ts"
import { statesOf } from "../../support/stripe/states.ts"
import { launch } from "./support/launch.ts"

const pages = [
  "/",
  "/forecasts",
  "/weather/KNYC",
  "/nfl/2026_01_KC_TEN",
  "/mlb/777001",
  "/crypto/BTC",
  "/markets/KXHIGHNY-26JUL08-T82",
  "/weather/NOWHERE",
  "/docs",
  "/docs/weather?run=weather_signal&station=KNYC",
  "/docs/weather",
  "/docs/guides/webhooks",
  "/scoreboard",
  "/record",
  "/record?leaf=0",
  "/status",
  "/errors",
  "/errors/invalid_parameter",
]

/** The pages of the dashboard, with an account that has made some calls. */
const inside = (account: string, agent: string, key: string, call: string): ReadonlyArray<string> =>
  allPages(catalogue).flatMap(({ path }) => {
    const filled = path
      .replace(":account", account)
      .replace(":agent", agent)
      .replace(":key", key)
      .replace(":endpoint", "weather_signal")
      .replace(":call", call)
    return filled.includes(":") ? [] : [filled]
  })

const asked = process.argv.slice(2)
const folder = join(import.meta.dirname, "..", "..", "..", "var", "shots")
mkdirSync(folder, { recursive: true })

const program = Chromium.program()
if (program === undefined) throw new Error("There is no Chromium: install it, or name it in CHROMIUM.")
// The addresses on the pages have a port, as a server's have.
const port = 8080
const ready = Effect.map(Clock.currentTimeMillis, (now) => ({ report: { status: "ready", at: iso(now) } }))
const running = await start({ http: { host: "127.0.0.1", port, baseUrl: Option.none() } }, { port, ready })
const agent = await running.run(
  Effect.flatMap(Agents, ({ create }) =>
    Effect.map(create("tester", "bot", { monthlyCap: MicroUsd(5_000_000) }), ({ id }) => id),
  ),
)
for (let call = 0; call < 5; call++) await running.get("/v1/weather/signal?station=KNYC")
await running.get("/v1/weather/signal?station=NONE")
const call = await newestCall(running)
const { cookie } = await signIn(running, { account: "tester", name: "ann" })
const { cookie: operating } = await signIn(running, { operator: true, account: "tester", name: "olga" })
// Generating the mock board and the demonstration of the record takes longer than a page may.
await fetch(`${running.url}/v1/markets/performance`)
const shows = async (path: string, text: string) => (await (await fetch(running.url + path)).text()).includes(text)
while (!(await shows("/record", "data-from"))) await sleep(1_000)
// Its lists are made when they are first asked for.
while (await shows("/forecasts", "data-reload")) await sleep(1_000)
while (!(await shows("/", "settled contracts"))) await sleep(1_000)

const payments = await takingPayments({ balance: 1_000_000 })
const states = await statesOf(payments)
const { cookie: paying } = await signIn(payments.running, { account: "tester", name: "bea" })

/** Pages to look at: where, and the name of the picture. */
interface Looks {
  readonly url: string
  readonly cookie: string
  readonly pages: ReadonlyArray<readonly [path: string, name: string]>
}

const nameOf = (path: string): string => (path === "/" ? "home" : path.slice(1).replace(/\W+/g, "-"))
const isOperators = (path: string): boolean => path.startsWith("/dashboard/operator")
const wanted =
  asked.length === 0 ? [...pages, ...inside(running.account.id, agent, running.account.live.id, call)] : asked
const all: ReadonlyArray<Looks> = [
  {
    url: running.url,
    cookie,
    pages: wanted.filter((path) => !isOperators(path)).map((path) => [path, nameOf(path)]),
  },
  {
    url: running.url,
    cookie: operating,
    pages: wanted.filter(isOperators).map((path) => [path, nameOf(path)]),
  },
  {
    url: payments.running.url,
    cookie: paying,
    pages: (asked.length === 0 || asked.includes("/dashboard/top-up")
      ? Object.entries({ ...states, list: "/dashboard/top-up", wallet: "/dashboard/wallet" })
      : []
    ).map(([state, path]) => [path, `card-${state}`]),
  },
]

const browser = await launch(program)
try {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1_280, 390]) {
      for (const { url, cookie, pages } of all) {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
        const [name = "", value = ""] = cookie.split("=")
        await context.addCookies([{ name, value, url }])
        const page = await context.newPage()
        page.on("console", (message) => process.stdout.write(`${page.url()}: ${message.text()}\n`))
        for (const [path, name] of pages) {
          const response = await page.goto(url + path)
          const file = `${name}-${width}-${colorScheme}.png`
          // A stream of live values is never idle.
          if (path.startsWith("/dashboard"))
            await page.getByText("Updates live", { exact: true }).waitFor({ state: "attached" })
          else await page.waitForLoadState("networkidle")
          await page.screenshot({ path: join(folder, file), fullPage: true })
          const tooWide = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          process.stdout.write(`${response?.status()} ${file}${tooWide > 0 ? ` is ${tooWide} pixels too wide` : ""}\n`)
        }
        await context.close()
      }
    }
  }
} finally {
  await browser.close()
  await running.stop()
  await payments.stop()
}
