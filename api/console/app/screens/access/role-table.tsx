import type { ComponentChildren } from 'preact'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { Table } from '../../kit/table.tsx'
import { roleFields } from './operator-fields.ts'
import { accessTexts } from './texts.ts'

/** The fields of the roles, as a table: one row for each role. */
export function RoleTable({ input }: { input: (field: Field) => ComponentChildren }) {
  return (
    <Table
      caption={accessTexts.roles}
      rows={roleFields}
      keyOf={({ name }) => name}
      columns={[
        { head: accessTexts.roles, cell: ({ label }) => say(label) },
        { head: accessTexts.valuesFor, cell: input },
      ]}
    />
  )
}
