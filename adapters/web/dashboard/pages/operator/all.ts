import type * as Catalogue from "../../../../../core/endpoint/Catalogue.ts"
import type { Operation } from "../../Operation.ts"
import type { Page } from "../../Page.ts"
import { accountPage } from "./account.tsx"
import { accountsPage } from "./accounts.tsx"
import { changesPage } from "./changes.tsx"
import { deliveriesPage } from "./deliveries.tsx"
import { servicePage } from "./service.tsx"
import { storePage } from "./store.tsx"

/** The pages for operators. */
export const operatorPages = (catalogue: Catalogue.Any, operation: Operation): ReadonlyArray<Page> => [
  accountsPage(operation),
  accountPage(catalogue),
  servicePage(operation),
  deliveriesPage,
  storePage(operation),
  changesPage,
]
