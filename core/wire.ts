/** A field's name on the wire and in stores: `createdAt` is `created_at`. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name

/** Names of fields that are not their names in snake case. */
export type Names<Field extends string> = { readonly [K in Field]?: string }

export type NameOf<Field extends string, Own> = Field extends keyof Own ? Own[Field] & string : Snake<Field>

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Some fields of a value under their names on the wire, in the order of `fields`; undefined ones are left out.
 *
 * @param own names that are not the fields' names in snake case
 *
 * @example
 * ```ts
 * import { wire } from "./wire.ts"
 *
 * interface Line { readonly player: string; readonly passingYards: number; readonly cpoe?: number }
 * const lineOf = wire<Line>()(["player", "passingYards", "cpoe"], { player: "player_name" })
 * lineOf({ player: "A. Back", passingYards: 212 }) // { player_name: "A. Back", passing_yards: 212 }
 * ```
 */
export const wire =
  <A extends object>() =>
  <const Field extends keyof A & string, const Own extends Names<Field> = Record<never, never>>(
    fields: ReadonlyArray<Field>,
    own?: Own,
  ): ((value: Pick<A, Field>) => { readonly [K in keyof Pick<A, Field> as NameOf<K, Own>]: A[K] }) => {
    const names = fields.map((field) => [field, own?.[field] ?? snake(field)] as const)
    return (value) => {
      const shown: Record<string, unknown> = {}
      for (const [field, name] of names) if (value[field] !== undefined) shown[name] = value[field]
      return shown as never
    }
  }
