/** @jsxRuntime automatic @jsxImportSource preact */
import * as Configuration from "../../describe/tools/configuration.ts"

/** Links that install the tools of this server in editors. */
export const EditorLinks = ({ baseUrl }: { readonly baseUrl: string }) => (
  <>
    Install in{" "}
    {Object.entries(Configuration.editorLinks(baseUrl)).map(([editor, href], n) => (
      <>
        {n > 0 && " or "}
        <a href={href}>{editor}</a>
      </>
    ))}
  </>
)
