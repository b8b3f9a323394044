import { assert, describe, it } from "@effect/vitest"
import { exported, forms } from "../../../../adapters/web/dashboard/callFiles.ts"
import type { Audit } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"

const row = {
  at: Date.UTC(2026, 10, 24, 9, 7, 5, 40),
  requestId: "req_1",
  accountId: "acc_1",
  agentId: "agt_1",
  keyId: "key_1",
  endpoint: "weather_signal",
  paramsHash: "0".repeat(64),
  status: 429,
  code: "agent_budget_exceeded",
  calls: 3,
  charged: MicroUsd(1_500),
  latencyMs: 12,
} satisfies Audit
const { agentId: _, code: __, calls: ___, ...bare } = row

const names = { agents: new Map([["agt_1", "=night, ly"]]), keys: new Map([["key_1", 'the "first"']]) }
const nobody = { agents: new Map<string, string>(), keys: new Map<string, string>() }

describe("a row of the file of calls", () => {
  it("is in the words of the API, with the names of today", () => {
    assert.deepStrictEqual(exported(row, names), {
      at: "2026-11-24T09:07:05.040Z",
      request_id: "req_1",
      endpoint: "weather_signal",
      key_id: "key_1",
      key: 'the "first"',
      agent_id: "agt_1",
      agent: "=night, ly",
      status: 429,
      code: "agent_budget_exceeded",
      calls: 3,
      charged_micros: MicroUsd(1_500),
      latency_ms: 12,
    })
  })

  it("has null for what it has not or whose name is not known, and is one call", () => {
    assert.deepInclude(exported(bare, names), { agent_id: null, agent: null, code: null, calls: 1 })
    assert.deepInclude(exported(row, nobody), { agent_id: "agt_1", agent: null, key_id: "key_1", key: null })
  })
})

describe("the file as CSV", () => {
  it("begins with the columns in the order of the cells", () => {
    assert.strictEqual(
      forms.csv.head,
      "at,request_id,endpoint,key_id,key,agent_id,agent,status,code,calls,charged_micros,latency_ms\r\n",
    )
  })

  it("quotes where it has to, and keeps a spreadsheet from running a name", () => {
    assert.strictEqual(
      forms.csv.line(exported(row, names)),
      `2026-11-24T09:07:05.040Z,req_1,weather_signal,key_1,"the ""first""",agt_1,"'=night, ly",429,agent_budget_exceeded,3,1500,12\r\n`,
    )
  })

  it("has empty cells for what is not there, and charges as numbers, though they be below 0", () => {
    assert.strictEqual(
      forms.csv.line(exported({ ...bare, charged: MicroUsd(-5) }, nobody)),
      "2026-11-24T09:07:05.040Z,req_1,weather_signal,key_1,,,,429,,1,-5,12\r\n",
    )
  })
})

describe("the file as NDJSON", () => {
  it("has no head, and a line of JSON for each row", () => {
    assert.strictEqual(forms.ndjson.head, "")
    const line = forms.ndjson.line(exported(row, names))
    assert.match(line, /^[^\n]*\n$/)
    assert.deepStrictEqual(JSON.parse(line), exported(row, names))
  })
})
