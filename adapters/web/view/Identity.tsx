/** @jsxRuntime automatic @jsxImportSource preact */

import { bare } from "../../server/http/Site.ts"
import { type Condition, marks } from "../condition/Condition.ts"
import { Chart, Mark, width, words } from "./chart.tsx"
import { page } from "./Page.tsx"
import { Code, Facts, State, Table, Tabs } from "./parts.tsx"
import { colours, textRoles, type } from "./tokens.ts"

/** The whole visual system on one page, for `npm run shots`: roles of colour, type, states, marks and parts. */
export const identity = (): string =>
  page(
    { title: "Visual system", description: "Colours, type, states and parts of the pages.", path: "/identity" },
    bare,
    <>
      <h1>Visual system</h1>
      <h2>Colours by role</h2>
      <Chart height={Object.keys(colours).length * 22} label="Roles of colours">
        {Object.keys(colours).map((role, at) => (
          <g key={role}>
            <rect class={`swatch ${role}`} x={0} y={at * 22 + 3} width={90} height={16} />
            {words(100, at * 22 + 15, role, "start", "name")}
          </g>
        ))}
      </Chart>
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
      <Chart height={30} label="Marks of model and market">
        <Mark who="model" x={8} y={15} />
        {words(18, 19, "model", "start")}
        <Mark who="market" x={width / 2} y={15} />
        {words(width / 2 + 10, 19, "market", "start")}
      </Chart>
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
