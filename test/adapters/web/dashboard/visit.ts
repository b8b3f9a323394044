import type { AccountVisit } from "../../../../adapters/web/dashboard/Page.ts"

/** A visit of an operator to the pages of an account, for pages and forms without a server. */
export const visit = (more: Partial<AccountVisit> = {}): AccountVisit => ({
  session: {
    id: "ses_1",
    person: { id: "per_1", issuer: "local", subject: "per_1", name: "ann", isOperator: true, createdAt: 0 },
    accountId: "acc_1",
    createdAt: 0,
    seenAt: 0,
  },
  actor: { who: "per_1" },
  account: { id: "acc_1", name: "tester", tier: "indie", perMinute: 60, createdAt: 0 },
  params: {},
  query: new URLSearchParams(),
  formToken: "token",
  formId: "form",
  served: () => true,
  origin: "http://localhost",
  baseUrl: "http://localhost",
  now: Date.UTC(2026, 10, 24, 21, 5),
  ...more,
})
