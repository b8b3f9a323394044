// Proof: takes five seconds or more.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { Agents } from "../../../../../core/account/Agents.ts"
import { Ledger } from "../../../../../core/account/Ledger.ts"
import { MicroUsd, usd } from "../../../../../core/account/Money.ts"
import * as Ulid from "../../../../../core/account/Ulid.ts"
import { Usage } from "../../../../../core/account/Usage.ts"
import { escapeFormula } from "../../../../../core/csv/write.ts"
import { codes } from "../../../../../core/Failure.ts"
import { capitalize } from "../../../../../core/text.ts"
import { dayOf, iso, minute } from "../../../../../core/time.ts"
import { sum } from "../../../../support/accounts.ts"
import { clockAt } from "../../../../support/clock.ts"
import { type Running, start } from "../../../../support/running.ts"
import { otherAccount, signIn, type Visitor } from "../visitor.ts"

/** The turn of a month; the tests are ten minutes after it. */
const turn = Date.UTC(2026, 10, 1)
const balance = 50_000_000
const count = 1_300

let running: Running
let owner: Visitor
let viewer: Visitor
let stranger: Visitor
let operator: Visitor
let agent: string

interface Call {
  readonly id: string
  readonly at: number
  readonly charged: number
  readonly status: number
  readonly keyId: string
  readonly agentId: string | undefined
  readonly endpoint: string
}

const written: Array<Call> = []

/** Calls of two days, half of them on each side of the month's turn, by two keys and an agent. */
const write = Effect.gen(function* () {
  const ledger = yield* Ledger
  const accounts = yield* Accounts
  const bot = yield* (yield* Agents).create("tester", "bot", {})
  agent = bot.id
  const { key } = yield* accounts.issueKey({ account: "tester", environment: "live", tier: "pro", agent: "bot" })
  for (let n = 0; n < count; n++) {
    const [keyId, agentId] = n % 3 === 0 ? [key.id, agent] : [running.account.live.id, undefined]
    const failed = n % 10 === 0
    const micros = MicroUsd(failed ? 0 : 1_000 + n)
    const at = turn - 10 * minute + Math.floor((n * 20 * minute) / count)
    const status = failed ? (n % 20 === 0 ? 404 : 500) : 200
    const id = `req_${Ulid.encode(at, new Uint8Array([n >> 8, n & 255, 1, 2, 3, 4, 5, 6, 7, 8]))}`
    const endpoint = n % 2 === 0 ? "weather_settlement" : "crypto_signal"
    const caller = {
      accountId: running.account.id,
      keyId,
      livemode: true,
      perMinute: 6_000,
      ...(agentId === undefined ? {} : { agent: { id: agentId, paused: false } }),
    }
    const { perMinute: _, livemode: __, agent: ___, ...ids } = { agent: undefined, ...caller }
    const verdict = yield* ledger.charge({
      caller,
      list: micros,
      micros,
      audit: {
        ...ids,
        ...(agentId === undefined ? {} : { agentId }),
        at,
        requestId: id,
        endpoint,
        paramsHash: "",
        status,
        ...(failed ? { code: status === 404 ? "not_found" : "internal_error" } : {}),
        charged: micros,
        latencyMs: n % 90,
      },
    })
    assert.strictEqual(verdict._tag, "Accepted")
    written.push({ id, at, charged: micros, status, keyId, agentId, endpoint })
  }
})

beforeAll(async () => {
  running = await start({}, { balance, clock: clockAt(turn + 10 * minute) })
  await otherAccount(running, "other")
  owner = await signIn(running, { account: "tester" })
  viewer = await signIn(running, { account: "tester", name: "vic", role: "viewer" })
  stranger = await signIn(running, { account: "other", name: "sam" })
  operator = await signIn(running, { operator: true, name: "op" })
  await running.run(write as Effect.Effect<void, never, Ledger | Accounts | Agents>)
}, 120_000)
afterAll(() => running.stop())

const micros = (text: string): number => Math.round(Number(text.replace("−", "-").replace("+", "")) * 1e6)

/** The amount and the number of the last row of the table with a caption. */
const totalsOf = (html: string, caption: string) => {
  const from = html.indexOf(`<caption>${caption}`)
  assert.notStrictEqual(from, -1, caption)
  const foot = /<tfoot>([\s\S]*?)<\/tfoot>/.exec(html.slice(from))![1]!
  const cells = [...foot.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, text]) => text!)
  return { calls: Number(cells[1]!.replaceAll(",", "")), charged: micros(/^(\S+) USD$/.exec(cells[2]!)![1]!) }
}

/** The rows of a table: the text of each cell. */
const rowsOf = (html: string, caption: string): ReadonlyArray<ReadonlyArray<string>> => {
  const table = html.slice(html.indexOf(`<caption>${caption}`))
  const body = /<tbody>([\s\S]*?)<\/tbody>/.exec(table)![1]!
  return [...body.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, text]) => text!.replace(/<[^>]*>/g, "").trim()),
  )
}

interface Line {
  readonly at: string
  readonly status: number
  readonly charged_micros: number
  readonly key_id: string
  readonly agent: string | null
  readonly endpoint: string
  readonly calls: number
}

const ndjson = async (visitor: Visitor, query = ""): Promise<ReadonlyArray<Line>> => {
  const { status, html } = await visitor.get(`/dashboard/calls.ndjson${query}`)
  assert.strictEqual(status, 200)
  return html === ""
    ? []
    : html
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Line)
}

const csv = async (path: string): Promise<ReadonlyArray<Readonly<Record<string, string>>>> => {
  const { html } = await owner.get(path)
  const [head, ...lines] = html
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","))
  return lines.map((cells) => Object.fromEntries(head!.map((name, at) => [name, cells[at]!])))
}

const charges = (calls: ReadonlyArray<Call>) => sum(calls.map(({ charged }) => charged))

describe("usage page, export of calls and journal", () => {
  it.each([
    ["before the turn of the month", "2026-10-31", "2026-10-31"],
    ["after it", "2026-11-01", "2026-11-01"],
    ["over it", "2026-10-25", "2026-11-01"],
    ["in both months", "2026-10-01", "2026-11-30"],
  ])("sum alike %s", async (_, from, to) => {
    const isIn = ({ at }: Pick<Call, "at">) => dayOf(at) >= from && dayOf(at) <= to
    const expected = { calls: written.filter(isIn).length, charged: charges(written.filter(isIn)) }
    assert.isAbove(expected.calls, 600)
    for (const by of ["day", ...(to === from ? ["hour"] : to.endsWith("30") ? ["month"] : [])]) {
      for (const group of ["endpoint", "agent", "key", "status"]) {
        const { html, status } = await owner.get(`/dashboard/usage?by=${by}&group=${group}&from=${from}&to=${to}`)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(totalsOf(html, `Calls and spend by ${group}`), expected, group)
        assert.deepStrictEqual(totalsOf(html, `Calls and spend per ${by}`), expected, by)
        const rows = rowsOf(html, `Calls and spend by ${group}`)
        assert.strictEqual(sum(rows.map(([, calls]) => Number(calls!.replaceAll(",", "")))), expected.calls)
        assert.strictEqual(sum(rows.map(([, , spend]) => micros(spend!.replace(" USD", "")))), expected.charged)
        const query = `by=${by}&group=${group}&from=${from}&to=${to}`
        for (const [file, expectedRows] of [
          [await csv(`/dashboard/usage.csv?${query}`), rows],
          [await csv(`/dashboard/usage.csv?${query}&rows=time`), rowsOf(html, `Calls and spend per ${by}`)],
        ] as const) {
          // The very rows of the page, and their sums.
          assert.deepStrictEqual(
            file.map(({ calls, charged_micros }) => [Number(calls), Number(charged_micros)]),
            expectedRows.map((row) => [Number(row[1]!.replaceAll(",", "")), micros(row[2]!.replace(" USD", ""))]),
          )
          assert.strictEqual(sum(file.map(({ charged_micros }) => Number(charged_micros))), expected.charged)
        }
        // The layers of the picture are the groups, and add up to the whole.
        const heads = /<thead>[\s\S]*?<\/thead>/.exec(
          html.slice(html.indexOf(`<caption>Calls and spend per ${by}`)),
        )![0]
        for (const [name] of rows) assert.include(heads, `>${name}</th>`)
        for (const row of rowsOf(html, `Calls and spend per ${by}`)) {
          const amounts = row.slice(2).map((text) => micros(text.replace(" USD", "")))
          assert.strictEqual(sum(amounts.slice(1)), amounts[0]!)
        }
      }
    }
    const lines = await ndjson(owner, `?from=${from}&to=${to}`)
    assert.deepStrictEqual(
      { calls: lines.length, charged: sum(lines.map(({ charged_micros }) => charged_micros)) },
      expected,
    )
    const table = await csv(`/dashboard/calls.csv?from=${from}&to=${to}`)
    assert.strictEqual(sum(table.map(({ charged_micros }) => Number(charged_micros))), expected.charged)
    const journal = await csv("/dashboard/wallet.csv")
    const charged = journal.filter(({ kind, at }) => kind === "charge" && isIn({ at: Date.parse(at!) }))
    assert.strictEqual(0 - sum(charged.map((row) => Number(row["micros"]))), expected.charged)
  })

  it("are alike after a move", async () => {
    const path = "/dashboard/usage?group=key&from=2026-10-31&to=2026-11-01"
    const before = (await owner.get(path)).html
    await running.run(Effect.flatMap(Usage, ({ move }) => move))
    const totals = (html: string) => totalsOf(html, "Calls and spend by key")
    assert.deepStrictEqual(totals((await owner.get(path)).html), totals(before))
  })

  it("name keys and agents", async () => {
    const { html } = await owner.get("/dashboard/usage?group=agent&from=2026-10-31&to=2026-11-01")
    const names = rowsOf(html, "Calls and spend by agent").map(([name]) => name)
    assert.deepStrictEqual(names, ["no agent", "bot"])
    const keys = await owner.get("/dashboard/usage?group=key&from=2026-10-31&to=2026-11-01")
    const { key } = await running.run(Accounts)
    const { lastFour } = await running.run(key(running.account.live.id))
    assert.include(keys.html, `…${lastFour}</a>`)
  })
})

describe("the overview", () => {
  /** A figure under its name. */
  const figure = (html: string, name: string) =>
    new RegExp(`<span>${name}</span> <strong>(?:<[^>]*>)*([^<]*)`).exec(html)?.[1]
  const today = () => written.filter(({ at }) => at >= turn)

  it("has the sums of the month and of the day, of the keys that are asked for", async () => {
    const spent = usd(charges(today()))
    for (const [query, month, calls] of [
      ["", spent, today().length],
      ["?mode=live", spent, today().length],
      ["?mode=test", "0.00 USD", 0],
    ] as const) {
      const { html } = await owner.get(`/dashboard${query}`)
      assert.deepStrictEqual(
        [figure(html, "Spent in Nov 2026"), figure(html, "Calls today")],
        [month, String(calls)],
        query,
      )
      // Values that move are of all keys.
      assert.strictEqual(html.includes('data-live="calls"'), query === "")
    }
  })

  it("draws each hour's calls beside those of a week ago, with a table of the same", async () => {
    const rows = rowsOf((await owner.get("/dashboard")).html, "Calls of the last 24 hours")
    assert.lengthOf(rows, 24)
    const failed = today().filter(({ status }) => status >= 400).length
    assert.deepStrictEqual(rows[23], ["00:00", String(today().length), String(failed), "0"])
    assert.deepStrictEqual(rows[0], ["01:00", "0", "0", "0"])
  })

  it("has the 95th percentile of the newest answers by nearest rank, and after two days no pace", async () => {
    const { html } = await owner.get("/dashboard")
    assert.notInclude(html, "Lasts about")
    const newest = written
      .map(({ status }, n) => ({ status, latencyMs: n % 90 }))
      .filter(({ status }) => status === 200)
      .slice(-200)
      .map(({ latencyMs }) => latencyMs)
      .toSorted((one, other) => one - other)
    assert.strictEqual(figure(html, "p95 latency"), `${newest[189]} ms`)
  })

  it("says why calls failed, each cause with a link to its calls", async () => {
    const { html } = await owner.get("/dashboard")
    const failed = written.filter(({ status }) => status >= 400)
    const causes = [
      ...html.matchAll(/<strong>(\d+) calls? since yesterday<\/strong>: ([^<]*) <a href="([^"]*)">See calls</g),
    ]
    assert.deepStrictEqual(causes.map(([, , name]) => name).toSorted(), [
      codes.not_found.message,
      codes.internal_error.message,
    ])
    assert.strictEqual(sum(causes.map(([, calls]) => Number(calls))), failed.length)
    for (const [, calls, , href] of causes) {
      const { length } = await ndjson(owner, href!.replaceAll("&amp;", "&").replace("/dashboard/calls", ""))
      assert.strictEqual(length, Number(calls), href)
    }
  })

  it("of an account without calls has the first steps alone", async () => {
    const { html } = await stranger.get("/dashboard")
    assert.strictEqual(figure(html, "Balance"), "0.00 USD")
    assert.include(html, "First steps")
    for (const text of ["today", "Lasts about", "needs attention"]) assert.notInclude(html, text)
  })
})

describe("the page of calls", () => {
  const filters: ReadonlyArray<readonly [string, () => string, (call: Call) => boolean]> = [
    ["nothing", () => "", () => true],
    ["an endpoint", () => "?endpoint=crypto_signal", ({ endpoint }) => endpoint === "crypto_signal"],
    ["an agent", () => `?agent=${agent}`, ({ agentId }) => agentId === agent],
    ["a key", () => `?key=${running.account.live.id}`, ({ keyId }) => keyId === running.account.live.id],
    ["failed", () => "?status=failed", ({ status }) => status >= 400],
    ["an exact status", () => "?status=404", ({ status }) => status === 404],
    ["an outcome", () => "?code=not_found", ({ status }) => status === 404],
    ["live keys", () => "?mode=live", () => true],
    ["test keys", () => "?mode=test", () => false],
    ["a status and a day", () => "?status=5xx&from=2026-11-01", ({ status, at }) => status >= 500 && at >= turn],
  ]
  it.each(filters)(
    "with %s leads through all of them, 50 at a time, as the export has them",
    async (_, query, passes) => {
      const lines = await ndjson(owner, query())
      const expected = written.filter(passes).toReversed()
      assert.deepStrictEqual(
        lines.map(({ at, charged_micros: charged, status }) => ({ at, charged, status })),
        expected.map(({ at, charged, status }) => ({ at: iso(at), charged, status })),
      )
      let seen = 0
      for (let path: string | undefined = `/dashboard/calls${query()}`; path !== undefined; ) {
        const { html, status } = await owner.get(path)
        assert.strictEqual(status, 200)
        assert.isBelow(html.length, 60_000)
        for (const [, fold = ""] of html.matchAll(/<tr>(<th scope="row"><time[\s\S]*?)<\/tr>/g)) {
          const [, status] = /<\/span> (\d{3})/.exec(fold)!
          const [, endpoint] = /data-label="Call"><a href="[^"]*">([^<]*)<\/a>/.exec(fold)!
          const [, charged] = /data-label="Charged">([^<]*) USD/.exec(fold)!
          const own = [...(fold.split("<details>")[1] ?? "").matchAll(/calls\/(req_\w+)/g)].map(([, id]) => id)
          const calls = expected.slice(seen, seen + Math.max(1, own.length))
          assert.deepStrictEqual(
            { endpoint, status, charged: micros(charged!), own },
            {
              endpoint: capitalize(calls[0]!.endpoint.replaceAll("_", " ")),
              status: String(calls[0]!.status),
              charged: charges(calls),
              own: calls.length === 1 ? [] : calls.map(({ id }) => id),
            },
          )
          // The row after it differs.
          const after = expected[seen + calls.length]
          const isPageEnd = (seen + calls.length) % 50 === 0
          const of = ({ endpoint, keyId, status }: Call) => `${endpoint} ${keyId} ${status}`
          for (const each of calls) assert.strictEqual(of(each), of(calls[0]!))
          if (after !== undefined && !isPageEnd) assert.notStrictEqual(of(after), of(calls[0]!))
          seen += calls.length
        }
        path = /<a href="([^"]*)">Older calls/.exec(html)?.[1]?.replaceAll("&amp;", "&")
      }
      assert.strictEqual(seen, expected.length)
    },
  )

  it("names the key's end and the agent", async () => {
    const [row] = rowsOf((await owner.get(`/dashboard/calls?agent=${agent}`)).html, "Calls")
    assert.match(row![4]!, /^svk_live_…\w{4}bot$/)
  })
})

describe("a file", () => {
  const files = [
    "/dashboard/calls.csv",
    "/dashboard/calls.ndjson",
    "/dashboard/wallet.csv",
    "/dashboard/wallet/statement.csv",
    "/dashboard/usage.csv",
  ]
  it("is not for anybody without a session, and not for an operator without an account", async () => {
    for (const path of files) {
      const response = await fetch(running.url + path, { redirect: "manual" })
      assert.deepStrictEqual([response.status, response.headers.get("location")], [303, "/dashboard/enter"], path)
      assert.strictEqual((await operator.get(path)).status, 404)
    }
  })

  it("has the own account's rows alone", async () => {
    assert.deepStrictEqual(await ndjson(stranger), [])
    for (const filter of [`key=${running.account.live.id}`, `agent=${agent}`]) {
      for (const path of ["/dashboard/calls", "/dashboard/calls.csv", "/dashboard/calls.ndjson"]) {
        const { status, html } = await stranger.get(`${path}?${filter}`)
        assert.strictEqual(status, 400, path)
        assert.include(html, "The account has no")
      }
    }
    assert.deepStrictEqual(
      (await stranger.get("/dashboard/wallet.csv")).html,
      "at,id,kind,micros,endpoint,reverses,provider,receipt\r\n",
    )
    assert.strictEqual((await ndjson(viewer)).length, count)
  })

  it("is an attachment that nobody keeps", async () => {
    for (const path of files) {
      const { headers } = await owner.get(path)
      assert.match(headers.get("content-disposition")!, /^attachment; filename="\w+\.\w+"$/)
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.isNull(headers.get("access-control-allow-origin"))
    }
    const { status, html } = await owner.send("/dashboard/agents/new", "create", { name: "x" }, {})
    assert.strictEqual(status, 400, html)
  })

  it.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["a=1", "a=1"],
    ["", ""],
  ])("keeps %j text in a spreadsheet", (text, cell) => {
    assert.strictEqual(escapeFormula(text), cell)
  })
})

describe("a wrong address", () => {
  it.each([
    ["/dashboard/calls?status=9xx", "Status is one of"],
    ["/dashboard/calls?status=constructor", "Status is one of"],
    ["/dashboard/calls?from=2026-02-30", "this one does not exist"],
    ["/dashboard/calls?from=yesterday", "Write a day"],
    ["/dashboard/calls?to=9999-12-31", "Write a day"],
    ["/dashboard/calls?to=1969-12-31", "Write a day"],
    ["/dashboard/calls?from=2026-11-02&to=2026-11-01", "before the first"],
    ["/dashboard/calls?endpoint=nope", "no such endpoint"],
    ["/dashboard/calls?agent=agt_nobody", "no agent"],
    ["/dashboard/calls?key=key_nobody", "no key"],
    ["/dashboard/calls?cursor=x", "page link is invalid"],
    ["/dashboard/calls?cursor=2026-11.1.2.3", "page link is invalid"],
    ["/dashboard/calls?cursor=2026-11.-1.2", "page link is invalid"],
    ["/dashboard/calls.csv?status=9xx", "Status is one of"],
    ["/dashboard/calls.ndjson?from=2026-02-30", "this one does not exist"],
    ["/dashboard/usage?by=week", "by day or by hour"],
    ["/dashboard/usage?group=colour", "Group by"],
    ["/dashboard/usage?mode=both", "live or test"],
    ["/dashboard/usage?from=2024-01-01&to=2026-01-01", "366 days"],
    ["/dashboard/usage?by=hour&from=2026-10-01&to=2026-10-08", "7 days"],
    ["/dashboard/usage?by=hour&from=2026-09-01&to=2026-09-02", "kept for 32 days"],
    ["/dashboard/usage?from=2024-01-01&to=2024-01-31", "kept for 550 days"],
    ["/dashboard/usage.csv?group=colour", "Group by"],
    ["/dashboard/usage.csv?rows=x", "by group, or by time"],
    ["/dashboard/wallet?lines=x", "days, or transactions"],
    ["/dashboard/usage?from=2026-11-02&to=2026-11-01", "before the first"],
    ["/dashboard/usage?to=2999-13-01", "Write a day"],
    ["/dashboard/wallet?cursor=x", "page link is invalid"],
    ["/dashboard/wallet?before=yesterday", "Write a day"],
    ["/dashboard/wallet?before=2020-01-01", "on the statements"],
    ["/dashboard/wallet/statement?month=2026-13", "Write a month"],
    ["/dashboard/wallet/statement?month=2026-12", "Write a month"],
    ["/dashboard/wallet/statement.csv?month=2026-00", "Write a month"],
    ["/dashboard/wallet?cursor=' OR 1=1", "page link is invalid"],
  ])("%s says what is wrong", async (path, message) => {
    const { status, html } = await owner.get(path)
    assert.strictEqual(status, 400)
    assert.include(html, message)
    assert.match(html, /role="alert"|That did not work/)
  })

  it.each([
    "/dashboard/calls?cursor=999999999999999.999999999999999",
    "/dashboard/calls?cursor=0.0",
    "/dashboard/calls?status=&from=&to=&endpoint=",
    "/dashboard/usage?to=2999-12-31",
    "/dashboard/usage?from=1970-01-01&to=1970-01-01&by=month",
    "/dashboard/usage?from=2024-01-01&to=2026-12-31&by=month",
    "/dashboard/wallet?before=2999-12-31",
    "/dashboard/wallet/statement?month=2019-11",
    "/dashboard/wallet?cursor=txn_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  ])("%s is odd, and has an answer", async (path) => {
    assert.strictEqual((await owner.get(path)).status, 200)
  })
})

describe("the wallet", () => {
  /** The rows of its days over all pages: day, line, amount, balance. */
  const daysOf = async (visitor: Visitor) => {
    const rows: Array<ReadonlyArray<string>> = []
    for (let path: string | undefined = "/dashboard/wallet"; path !== undefined; ) {
      const { html } = await visitor.get(path)
      rows.push(...rowsOf(html, "Days of the wallet"))
      path = /<a href="([^"]*)">Older days/.exec(html)?.[1]
    }
    return rows
  }
  const amountIn = (text: string | undefined) => micros(text!.replace(/ USD|,/g, ""))

  it("has days that add up to the balance, and say it at the end of each", async () => {
    const rows = await daysOf(owner)
    const today = written.filter(({ at }) => at >= turn)
    const before = written.filter(({ at }) => at < turn)
    assert.deepStrictEqual(
      rows.map(([, line, amount]) => [amountIn(amount), line]),
      [
        [0 - charges(today), `${today.length} live calls`],
        [balance, "1 credit"],
        [0 - charges(before), `${before.length} live calls`],
      ],
    )
    assert.strictEqual(sum(rows.map(([, , amount]) => amountIn(amount))), await running.balance())
    assert.strictEqual(amountIn(rows[0]![3]), await running.balance())
    // A day unfolds into its endpoints.
    for (const name of ["weather_settlement", "crypto_signal"]) {
      const own = today.filter(({ endpoint }) => endpoint === name)
      const [, calls, spend] = new RegExp(`${name}: (\\d+) calls, ([\\d.]+) USD`).exec(rows[0]![0]!)!
      assert.deepStrictEqual([Number(calls), micros(spend!)], [own.length, charges(own)])
    }
    const credits = rowsOf((await owner.get("/dashboard/wallet?lines=transactions")).html, "Credits and reversals")
    assert.deepStrictEqual(
      credits.map(([, amount, line]) => [amount, line]),
      [["+50.00 USD", "Credit"]],
    )
    assert.strictEqual(
      sum((await csv("/dashboard/wallet.csv")).map((row) => Number(row["micros"]))),
      await running.balance(),
    )
  })

  it("has a statement for each month, which follow from each other and end with the balance", async () => {
    // A credit of which a part was taken back.
    await running.run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        yield* accounts.credit("tester", MicroUsd(3_000_000))
        const [credit] = yield* accounts.journal("tester", 1, undefined, "transactions")
        yield* accounts.reverse("tester", credit!.id, MicroUsd(1_250_000))
      }),
    )
    const journal = await csv("/dashboard/wallet.csv")
    let opening = 0
    for (const month of ["2026-09", "2026-10", "2026-11"]) {
      const rows = await csv(`/dashboard/wallet/statement.csv?month=${month}`)
      const [first, last] = [rows[0]!, rows.at(-1)!]
      assert.deepStrictEqual([first["line"], last["line"]], ["opening", "closing"])
      assert.strictEqual(Number(first["balance_micros"]), opening)
      let running = opening
      for (const row of rows) {
        running += Number(row["amount_micros"])
        assert.strictEqual(Number(row["balance_micros"]), running)
      }
      for (const kind of ["credit", "reversal", "charge"]) {
        const lines = journal.filter((line) => line["kind"] === kind && line["at"]!.startsWith(month))
        const own = rows.filter(({ line }) => line === (kind === "charge" ? "charges" : kind))
        assert.strictEqual(
          sum(own.map((row) => Number(row["amount_micros"]))),
          sum(lines.map((line) => Number(line["micros"]))),
          `${kind} of ${month}`,
        )
      }
      // The page says the same.
      const { html, status } = await owner.get(`/dashboard/wallet/statement?month=${month}`)
      assert.strictEqual(status, 200)
      const shown = rowsOf(html, "Statement of").map(([, , , after]) => amountIn(after))
      assert.deepStrictEqual(
        shown,
        rows.slice(0, -1).map((row) => Number(row["balance_micros"])),
      )
      opening = running
    }
    assert.strictEqual(opening, await running.balance())
    const days = await daysOf(owner)
    assert.strictEqual(sum(days.map(([, , amount]) => amountIn(amount))), opening)
    assert.isTrue(days.some(([, line, amount]) => amountIn(amount) === -1_250_000 && line === "1 reversal"))
  })

  it("says how it is credited, and whom to ask where that is known", async () => {
    const { html } = await owner.get("/dashboard/top-up")
    assert.include(html, "The operator of this service credits the account")
    assert.notInclude(html, "Ask")
    const asked = await start({ securityContact: (await import("effect/Option")).some("mailto:ops@example.com") })
    const visitor = await signIn(asked, { account: "tester" })
    assert.include(
      (await visitor.get("/dashboard/top-up")).html,
      '<a href="mailto:ops@example.com">ops@example.com</a>',
    )
    await asked.stop()
  })
})
