/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"

export const root = "/dashboard/operator"

/** The page of an account. */
export const accountPath = (id: string): string => `${root}/accounts/${id}`

/** The pages for operators, in their order. */
const parts = [
  [root, "Accounts"],
  [`${root}/service`, "Lanes and jobs"],
  [`${root}/deliveries`, "Deliveries"],
  [`${root}/store`, "Record and store"],
  [`${root}/changes`, "Changes"],
] as const

export type Path = (typeof parts)[number][0]

/** A page of the operator with links to the others. */
export const Parts = ({ at, children }: { readonly at: Path; readonly children: ComponentChildren }) => (
  <>
    <nav aria-label="Operator">
      <p>
        {parts.map(([path, label], index) => (
          <>
            {index > 0 && " · "}
            {path === at ? <strong aria-current="page">{label}</strong> : <a href={path}>{label}</a>}
          </>
        ))}
      </p>
    </nav>
    {children}
  </>
)
