import type * as Context from "effect/Context"
import type * as Lane from "../../core/endpoint/Lane.ts"

/** A lane about the market whose service a test makes itself. */
export const makeLane = <const Name extends string, Es extends Lane.Endpoints, Tag>(
  name: Name,
  endpoints: Es,
  tag: Context.Tag<Tag, Lane.Methods<Es>>,
  description: string,
): Lane.Lane<Name, Es, Tag> => ({ name, endpoints, tag, description, about: "market" })
