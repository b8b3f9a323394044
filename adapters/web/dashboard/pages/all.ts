import type * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import { idle, type Operation } from "../Operation.ts"
import type { Page } from "../Page.ts"
import { accountSettings } from "./account.tsx"
import { agentPages } from "./agents.tsx"
import { alertPages } from "./alerts.tsx"
import { callPages } from "./calls.tsx"
import { allChangesPage, changesPage } from "./changes.tsx"
import { connectPage } from "./connect.tsx"
import { keyPages } from "./keys.tsx"
import { accountPage } from "./operator/account.tsx"
import { accountsPage } from "./operator/accounts.tsx"
import { deliveriesPage } from "./operator/deliveries.tsx"
import { servicePage } from "./operator/service.tsx"
import { storePage } from "./operator/store.tsx"
import { overview } from "./overview.tsx"
import { peoplePages } from "./people.tsx"
import { playgroundPages } from "./playground.tsx"
import { searchPage } from "./search.tsx"
import { statementPage } from "./statement.tsx"
import { topUpPage } from "./topUp.tsx"
import { usagePage } from "./usage.tsx"
import { walletPage } from "./wallet.tsx"
import { webhookPages } from "./webhooks.tsx"

/**
 * Every page of the dashboard.
 *
 * @param contact of the operator, a URL or `mailto:`
 */
export const allPages = (
  catalogue: Catalogue.Any,
  contact?: string,
  operation: Operation = idle,
): ReadonlyArray<Page> => {
  const pages: ReadonlyArray<Page> = [
    overview(catalogue),
    ...keyPages(catalogue),
    ...agentPages,
    walletPage,
    statementPage,
    topUpPage(contact),
    usagePage,
    ...callPages(catalogue),
    ...alertPages,
    ...webhookPages,
    ...playgroundPages(catalogue),
    connectPage(catalogue),
    accountSettings(catalogue, contact),
    ...peoplePages,
    changesPage,
    accountsPage(operation),
    accountPage(catalogue),
    servicePage(operation),
    deliveriesPage,
    storePage(operation),
    allChangesPage,
  ]
  return [...pages, searchPage(catalogue, pages)]
}
