import type { Operation } from "../../Operation.ts"
import type { Page } from "../../Page.ts"
import { accountsPage } from "./accounts.tsx"
import { changesPage } from "./changes.tsx"
import { deliveriesPage } from "./deliveries.tsx"
import { servicePage } from "./service.tsx"
import { storePage } from "./store.tsx"

/** The pages for operators. */
export const operatorPages = (operation: Operation): ReadonlyArray<Page> => [
  accountsPage,
  servicePage(operation),
  deliveriesPage,
  storePage(operation),
  changesPage,
]
