import type { ComponentChildren } from 'preact'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { Table } from '../../kit/table.tsx'
import { accessTexts } from './texts.ts'

/** The fields of the roles, as a table: one row for each role. */
export function RoleTable({ fields, input }: { fields: readonly Field[]; input: (field: Field) => ComponentChildren }) {
  return (
    <Table
      caption={accessTexts.roles}
      rows={fields}
      keyOf={({ name }) => name}
      columns={[
        { head: accessTexts.roles, cell: ({ label }) => say(label) },
        { head: accessTexts.valuesFor, cell: input },
      ]}
    />
  )
}
