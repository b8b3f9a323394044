import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { type Running, start } from "../../support/running.ts"
import { signedRecord } from "../../support/signedRecord.ts"
import { axeFindings, visit } from "./support/page.ts"

const total = 61

let running: Running
beforeAll(async () => {
  running = await start()
  await running.run(signedRecord(total))
}, 60_000)
afterAll(() => running.stop())

/** The steps as the reader sees them, and the verdict above. */
const steps = async (page: Page) => {
  await page.locator(".steps").waitFor()
  return {
    verdict: await page.locator("[data-leaf] > p").textContent(),
    badges: await page.locator(".steps .badge").allTextContents(),
  }
}

const passed = "● passed"
const failed = "▲ failed"
const proven = "Your browser checked this entry: it is in the signed record."
const refused = "This entry is NOT proven: a check failed."

/** Changes an answer on its way to the browser. */
const changing = (page: Page, path: string, change: (text: string) => string) =>
  page.route(`**${path}*`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: change(await response.text()) })
  })

type Json = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: a test changes what the wire brings
const edited = (edit: (answer: any) => void) => (text: string) => {
  const answer = JSON.parse(text) as Json
  edit(answer)
  return JSON.stringify(answer)
}

/** The same hex with its first bit flipped. */
const flipped = (hex: string) => (Number.parseInt(hex[0]!, 16) ^ 8).toString(16) + hex.slice(1)

describe("/record", () => {
  it("verifies any leaf in the browser: by number, hash and id, from the form", async () => {
    await visit("record", {}, async ({ page }) => {
      await page.goto(`${running.url}/record`)
      for (const name of ["0", "7", "leaf_000009"]) {
        await page.getByLabel("Entry number").fill(name)
        await page.getByRole("button", { name: "Verify" }).click()
        await page.waitForURL(`**/record?leaf=${name}`)
        assert.deepStrictEqual(await steps(page), { verdict: proven, badges: [passed, passed, passed, passed] }, name)
        assert.deepStrictEqual(await axeFindings(page), [])
      }
      await page.goto(`${running.url}/record?leaf=${await page.locator("dl.facts code").nth(1).textContent()}`)
      assert.strictEqual((await steps(page)).verdict, proven)
    })
  })

  it("says of a sealed leaf that its text cannot be checked yet", async () => {
    await visit("sealed", {}, async ({ page }) => {
      await page.goto(`${running.url}/record?leaf=${total - 1}`)
      assert.deepStrictEqual((await steps(page)).badges, [passed, "not checked", passed, passed])
      assert.match((await page.locator("main").textContent())!, /Sealed until \d+ \w+ 2199, /)
    })
  })

  /** Another letter in the place of one: of 64 signatures one has a slash there already. */
  const otherwise = (_: string, before: string, letter: string): string => `${before}${letter === "/" ? "A" : "/"}`
  const inclusion = "/v1/proof/inclusion"
  const checkpoint = "/v1/proof/checkpoint"
  const changes: ReadonlyArray<readonly [name: string, path: string, change: (text: string) => string, step: number]> =
    [
      ["the text", inclusion, (text) => text.replace("crypto", "Crypto"), 1],
      ["another leaf", inclusion, edited((answer) => (answer.leaf.position = 4)), 0],
      ["a hash of the proof", inclusion, edited((answer) => (answer.proof[0] = flipped(answer.proof[0]))), 3],
      ["a hash too many", inclusion, edited((answer) => answer.proof.push(answer.proof[0])), 3],
      ["the leaf's hash", inclusion, edited((answer) => (answer.leaf.hash = flipped(answer.leaf.hash))), 3],
      [
        "the note's root",
        checkpoint,
        edited((answer) => (answer.note = answer.note.replace(/^(.*\n\d+\n)(.)/, otherwise))),
        2,
      ],
      [
        "the signature",
        checkpoint,
        edited((answer) => (answer.note = answer.note.replace(/(— \S+ \S{20})(.)/g, otherwise))),
        2,
      ],
      ["the key", checkpoint, edited((answer) => (answer.key = answer.key.replace(/.{4}$/, "AAAA"))), 2],
    ]
  it("shows a failed step when an answer was changed on the way", async () => {
    await visit("record-changed", {}, async ({ page }) => {
      for (const [name, path, change, at] of changes) {
        await changing(page, path, change)
        await page.goto(`${running.url}/record?leaf=3`)
        const { verdict, badges } = await steps(page)
        assert.deepStrictEqual([verdict, badges[at]], [refused, failed], name)
        await page.unrouteAll({ behavior: "wait" })
      }
    })
  })

  it("has the same figures and the commands without script", async () => {
    await visit("record-plain", { javaScriptEnabled: false }, async ({ page }) => {
      await page.goto(`${running.url}/record?leaf=3`)
      const { leaf, proof, root } = (await running.get(`${inclusion}?leaf=3`, "")).json
      const { note, key } = (await running.get(checkpoint, "", { headers: { accept: "application/json" } })).json
      const words = (await page.locator("main").textContent())!
      for (const each of [leaf.hash, leaf.id, leaf.text, root, note, key, ...proof, "node verifier.mjs --url"])
        assert.include(words, each)
      assert.include(words, "Automatic checks need JavaScript")
    })
  })

  it("tells of a leaf that is not there, and runs nothing of the question", async () => {
    await visit("record-absent", {}, async ({ page }) => {
      const name = `"><img src=x onerror=alert(1)>`
      await page.goto(`${running.url}/record?${new URLSearchParams({ leaf: name })}`)
      assert.include((await page.locator("#problem").textContent())!, `No leaf ${name} is recorded.`)
      assert.strictEqual(await page.getByLabel("Entry number").inputValue(), name)
      assert.strictEqual(await page.locator("main img").count(), 0)
      assert.deepStrictEqual(await axeFindings(page), [])
    })
  })
})

describe("the list of /record", () => {
  // An address has 60 calls a minute.
  beforeAll(async () => {
    await running.stop()
    running = await start()
    await running.run(signedRecord(total))
  }, 60_000)

  it("verifies the entries of a list, any part of the log, the sealed one too", async () => {
    await visit("record-list", {}, async ({ page }) => {
      for (const [query, first, last] of [
        ["", total - 25, total - 1],
        ["?before=30", 5, 29],
        ["?before=1", 0, 0],
      ] as const) {
        await page.goto(`${running.url}/record${query}`)
        const count = last - first + 1
        await page.getByText(`Your browser verified these ${count} entries`).waitFor()
        const badges = await page.locator("a[data-entry]").allTextContents()
        assert.deepStrictEqual(
          badges,
          Array.from({ length: count }, (_, at) => `✓ verified entry ${last - at}`),
        )
        assert.deepStrictEqual(await axeFindings(page), [])
      }
      await page.goto(`${running.url}/record`)
      await page.getByRole("link", { name: "Older" }).click()
      await page.getByText("Your browser verified these 25 entries").waitFor()
    })
  })

  it("says which entry of a list was changed on the way, and that none is proven by a wrong proof", async () => {
    const counts = async (page: Page) => [
      await page.locator(".badge.good").count(),
      await page.locator(".badge.bad").allTextContents(),
    ]
    await visit("record-list-changed", {}, async ({ page }) => {
      await changing(page, "/v1/proof/leaves", (text) => text.replace('\\"n\\":7,', '\\"n\\":8,'))
      await page.goto(`${running.url}/record?before=20`)
      await page.getByText("1 of these entries is NOT proven.").waitFor()
      assert.deepStrictEqual(await counts(page), [19, ["▲ failed entry 7"]])
      await page.unrouteAll({ behavior: "wait" })
      const flip = edited((answer) => (answer.proof[0] = flipped(answer.proof[0])))
      await changing(page, "/v1/proof/inclusion", flip)
      await page.goto(`${running.url}/record?before=50`)
      await page.getByText("These entries are NOT proven").waitFor()
      assert.strictEqual((await counts(page))[0], 0)
      await page.unrouteAll({ behavior: "wait" })
    })
  })
})
