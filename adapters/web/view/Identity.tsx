/** @jsxRuntime automatic @jsxImportSource preact */

import { bare } from "../../server/http/Site.ts"
import { type Condition, marks } from "../condition/Condition.ts"
import { page } from "./Page.tsx"
import { Code, Facts, State, Table, Tabs } from "./parts.tsx"
import { plot } from "./plot.tsx"
import { colours, textRoles, type } from "./tokens.ts"

/** The whole visual system on one page, for `npm run shots`: roles of colour, type, states, marks and parts. */
export const identity = (): string =>
  page(
    { title: "Visual system", description: "Colours, type, states and parts of the pages.", path: "/identity" },
    bare,
    <>
      <h1>Visual system</h1>
      <h2>Colours by role</h2>
      <svg viewBox={`0 0 360 ${Object.keys(colours).length * 22}`} width="360" role="img" aria-label="Roles of colours">
        {Object.keys(colours).map((role, at) => (
          <g key={role}>
            <rect class={`swatch ${role}`} x={0} y={at * 22 + 3} width={90} height={16} />
            <text class="name" x={100} y={at * 22 + 15}>
              {role}
            </text>
          </g>
        ))}
      </svg>
      <p>
        {textRoles.map((role) => (
          <span key={role} class={`ink-${role}`}>
            {role}{" "}
          </span>
        ))}
      </p>
      <h2>Type</h2>
      <Facts of={Object.fromEntries(Object.entries(type).map(([name, rem]) => [name, `${rem} rem`]))} />
      <h2>States</h2>
      <p>
        {(Object.keys(marks) as ReadonlyArray<Condition["tone"]>).map((tone) => (
          <span key={tone}>
            <State is={{ tone, label: tone }} />{" "}
          </span>
        ))}
      </p>
      <h2>Marks</h2>
      {plot({
        title: "Marks of model and market",
        marks: [
          {
            kind: "dot",
            as: "model",
            name: "Model",
            rows: [
              [0, 1],
              [1, 2],
              [2, 1.5],
            ],
          },
          {
            kind: "dot",
            as: "market",
            shape: 1,
            name: "Market",
            rows: [
              [0, 1.2],
              [1, 1.4],
              [2, 1.8],
            ],
          },
        ],
        columns: ["Place", "Model", "Market"],
        rows: [
          { at: 0, cells: ["first", "1", "1.2"] },
          { at: 1, cells: ["second", "2", "1.4"] },
          { at: 2, cells: ["third", "1.5", "1.8"] },
        ],
      })}
      <h2>Parts</h2>
      <p class="actions">
        <button type="button">Create key</button>
        <a class="button plain" href="#parts">
          Run it
        </a>
        <button type="button" class="danger">
          Revoke key
        </button>
      </p>
      <p class="notice">A notice.</p>
      <Tabs
        id="parts"
        label="Languages"
        panels={[
          ["curl", <Code key="curl" text="curl -H x" lang="sh" />],
          ["JSON", <Code key="json" text='{ "p": 0.31 }' lang="json" />],
        ]}
      />
      <Table
        caption="A table"
        columns={["Name", { name: "Number", isNumber: true }]}
        rows={[
          ["one", "1.00"],
          ["thousand", "1,000.00"],
        ]}
      />
    </>,
  )
