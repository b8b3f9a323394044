import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { commandLine } from "../../support/commandLine.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

const { cli, parsed } = commandLine(join(folder, "store.db"))

describe.sequential("accounts and wallets on the command line", { timeout: 60_000 }, () => {
  let credit = ""

  it("an account is made, and says whether it is suspended", async () => {
    const { id } = await parsed("account create --name one")
    assert.strictEqual((await cli("account suspend --account one")).stdout.split(": ")[0], `account ${id} (one)`)
    assert.match((await cli("account list")).stdout, new RegExp(`^${id}  one  suspended since \\d{4}-\\d\\d-\\d\\dT`))
    assert.strictEqual((await cli("account resume --account one")).stdout, `account ${id} (one): active`)
  })

  it("a wallet is credited in dollars, and a credit is taken back in parts and no further", async () => {
    assert.strictEqual(
      (await cli("wallet credit --account one --usd 2.50")).stdout,
      "credited 2.5 USD to one: balance 2.5 USD",
    )
    const { postings } = await parsed("wallet show --account one")
    credit = postings[0].id
    const reversed = await cli(`wallet reverse --account one --usd 1 --credit ${credit}`)
    assert.deepStrictEqual(
      [reversed.stdout, reversed.stderr],
      [`took 1 USD of ${credit} back, 1.5 USD is left: balance 1.5 USD`, ""],
    )
    assert.match(
      (await cli(`wallet reverse --account one --usd 9 --credit ${credit}`)).stdout,
      /^took 1\.5 USD of .* 0 USD is left: balance 0 USD$/,
    )
  })

  it("its threshold is set, shown and removed", async () => {
    const threshold = (usd: string) => cli(`wallet threshold --account one --usd ${usd}`)
    assert.match((await threshold("0.5")).stdout, /balance 0 USD, event wallet\.low below 0\.5 USD$/)
    assert.match((await cli("wallet show --account one")).stdout, /^one \(acct_\w+\): balance 0 USD, event wallet\.low/)
    assert.match((await threshold("none")).stdout, /no event of a low balance$/)
  })

  it("the journal has a line for each posting, amounts below each other", async () => {
    const [, ...lines] = (await cli("wallet show --account one")).stdout.split("\n")
    assert.deepStrictEqual(
      lines.map((line) => line.slice(26, 40)),
      ["     -1.500000", "     -1.000000", "      2.500000"],
    )
    assert.include(lines[2]!, credit)
  })
})

it("orders are none without a provider, and none are checked", async () => {
  await cli("account create --name none")
  assert.deepStrictEqual(await cli("orders list --account none"), { code: 0, stdout: "", stderr: "" })
  assert.strictEqual(
    (await cli("orders reconcile")).stdout,
    "0 orders checked: 0 changes, 0 USD credited, 0 USD taken back",
  )
})
