/** An object with one optional field; empty where the value is undefined. */
export const ifDefined = <K extends string, A>(key: K, value: A | undefined): { readonly [X in K]?: A } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [X in K]?: A }
