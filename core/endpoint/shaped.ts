import type * as Schema from "effect/Schema"
import { iso } from "../time.ts"

/** A field's name in the core: `created_at` is `createdAt`. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

type TimeName = "at" | `${string}_at` | `${string}_until`

/** Times are epoch milliseconds in the core. */
type Given<Name, Value> = Name extends TimeName ? Extract<Value, undefined> | number : Value

/** The source of a shape of wire fields: its fields by their names in the core. */
type Source<Shape> = {
  readonly [K in keyof Shape as Record<never, never> extends Pick<Shape, K> ? never : Camel<K & string>]: Given<
    K,
    Shape[K]
  >
} & {
  readonly [K in keyof Shape as Record<never, never> extends Pick<Shape, K> ? Camel<K & string> : never]?:
    | Given<K, Shape[K]>
    | undefined
}

/** Maps values of the core to a schema's fields, in its order: names in snake case, times as ISO 8601. */
export const shaped = <Fields extends Schema.Struct.Fields>({
  fields,
}: Schema.Struct<Fields>): ((source: Source<Schema.Struct.Type<Fields>>) => Schema.Struct.Type<Fields>) => {
  const all = Object.keys(fields).map((name) => ({
    name,
    from: name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    isTime: /(^|_)(at|until)$/.test(name),
  }))
  return (source) => {
    const shape: Record<string, unknown> = {}
    for (const { name, from, isTime } of all) {
      const value = (source as Readonly<Record<string, unknown>>)[from]
      if (value !== undefined) shape[name] = isTime ? iso(value as number) : value
    }
    return shape as never
  }
}
