import type { ComponentChildren } from 'preact'
import type { Choice, Field } from './form-values.ts'
import { say, type Text } from './language.ts'
import { Table } from './table.tsx'

/** The fields of a form in their order. Fields with `columns` follow as the rows of a table. */
export function FieldTable({
  fields,
  input,
}: {
  fields: readonly Field[]
  input: (field: Field) => ComponentChildren
}) {
  const rows = fields.filter(({ columns }) => columns)
  const [labels, values] = rows[0]?.columns ?? []
  return (
    <>
      {fields.filter(({ columns }) => !columns).map(input)}
      {labels && values && (
        <Table
          caption={labels}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { head: labels, cell: ({ label }) => say(label) },
            { head: values, cell: input },
          ]}
        />
      )}
    </>
  )
}

/** Choices under the headings of their groups. Choices without a group have no heading. */
export function Grouped({ of, children }: { of: readonly Choice[]; children: (each: Choice) => ComponentChildren }) {
  const groups = new Map<Text | undefined, Choice[]>()
  for (const each of of) groups.set(each.group, [...(groups.get(each.group) ?? []), each])
  return (
    <>
      {[...groups].map(([group, choices]) =>
        group ? (
          <fieldset key={group.en} class="several">
            <legend>{say(group)}</legend>
            {choices.map(children)}
          </fieldset>
        ) : (
          choices.map(children)
        ),
      )}
    </>
  )
}
