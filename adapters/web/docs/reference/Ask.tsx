/** @jsxRuntime automatic @jsxImportSource preact */
import { longest } from "./browser/search.js"

/** The field of the search, which leads to the page that answers it. */
export const Ask = ({ index, question }: { readonly index: string; readonly question: string }) => (
  <form class="ask" method="get" action={index}>
    <label for="q">Search endpoints, parameters, fields and errors</label>
    <span>
      <input id="q" type="search" name="q" value={question} maxLength={longest} autocomplete="off" spellcheck={false} />
      <button type="submit">Search</button>
    </span>
  </form>
)
