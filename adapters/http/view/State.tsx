/** @jsxRuntime automatic @jsxImportSource preact */

/** A state in words, with a shape, so that nothing depends on colour. */
export const State = ({ words, isGood }: { readonly words: string; readonly isGood: boolean }) => (
  <span class={`badge ${isGood ? "good" : "bad"}`}>
    <span aria-hidden="true">{isGood ? "●" : "▲"}</span> {words}
  </span>
)
