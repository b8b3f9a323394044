import { assert, describe, it } from "@effect/vitest"
import { style } from "../../../../adapters/web/view/style.ts"
import { colours, properties, type } from "../../../../adapters/web/view/tokens.ts"

/** Relative luminance of a colour, 0 to 1 (WCAG 2.2). */
const luminance = (colour: string): number => {
  const digits = colour.slice(1)
  const channels = digits.length === 3 ? [...digits].map((each) => each + each) : digits.match(/../g)!
  const [r, g, b] = channels.map((hex) => {
    const share = Number.parseInt(hex, 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Roles in which text is written. */
const textRoles = ["ink", "soft", "accent", "good", "bad", "model", "market", "official"] as const

const contrast = (a: string, b: string): number => {
  const [low, high] = [luminance(a), luminance(b)].sort((one, other) => one - other) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

describe("the visual system", () => {
  it("is legible: text has 4.5 to 1 on each background, in light and dark", () => {
    assert.closeTo(contrast("#fff", "#000000"), 21, 1e-9)
    for (const [scheme, name] of ["light", "dark"].entries()) {
      for (const role of textRoles) {
        for (const back of ["back", "raised"] as const) {
          const ratio = contrast(colours[role][scheme]!, colours[back][scheme]!)
          assert.isAtLeast(ratio, 4.5, `${role} on ${back}, ${name}`)
        }
      }
      assert.isAtLeast(contrast(colours.ink[scheme]!, colours.note[scheme]!), 4.5, `a notice, ${name}`)
      // The text of a button.
      assert.isAtLeast(contrast(colours.back[scheme]!, colours.accent[scheme]!), 4.5, `a button, ${name}`)
    }
  })

  it("is the only place of colours: the style sheet names roles that exist, and each is used", () => {
    const rules = style.slice(properties.length)
    assert.deepStrictEqual(rules.match(/#[0-9a-f]{3,8}\b/gi), null)
    const named = new Set([...rules.matchAll(/var\(--([\w-]+)\)/g)].map(([, role]) => role!))
    assert.sameMembers(
      [...named],
      [
        ...Object.keys(colours),
        ...Object.keys(type).map((size) => `type-${size}`),
        "mono",
        "radius",
        "mark",
        "room",
        "gutter",
      ],
    )
  })
})
