import { useId } from 'preact/hooks'
import { Section } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { KeptColumns } from './kept-columns.tsx'
import { type Mapping, missingTargets, type Target } from './mapping.ts'
import { uploadTexts } from './upload-texts.ts'

/** The meaning of each column: your id, the user, or a claim. */
export function MappingFields(props: {
  columns: readonly string[]
  targets: readonly Target[]
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}) {
  const { columns, targets, mapping, onChange } = props
  const missing = missingTargets(targets, mapping)
  return (
    <Section title={say(uploadTexts.mapping)}>
      <p class="soft">{say(uploadTexts.mappingWhat)}</p>
      <div class="mapping">
        <ColumnField
          label={uploadTexts.externalId}
          hint={uploadTexts.externalIdHint}
          columns={columns}
          value={mapping.externalId}
          onChange={(externalId) => onChange({ ...mapping, externalId })}
        />
        <ColumnField
          label={uploadTexts.userId}
          hint={uploadTexts.userIdHint}
          columns={['', ...columns]}
          value={mapping.userId}
          onChange={(userId) => onChange({ ...mapping, userId })}
        />
        {columns.map((column) => (
          <ClaimField
            key={column}
            column={column}
            targets={targets}
            value={mapping.paths[column] ?? ''}
            onChange={(path) => onChange({ ...mapping, paths: { ...mapping.paths, [column]: path } })}
          />
        ))}
      </div>
      <KeptColumns columns={columns} kept={mapping.kept} onChange={(kept) => onChange({ ...mapping, kept })} />
      {missing.length > 0 && (
        <p class="note" role="status">
          {say(uploadTexts.missing, { names: missing.map(({ label }) => label).join(', ') })}
        </p>
      )}
    </Section>
  )
}

function ColumnField(props: {
  label: Text
  hint: Text
  columns: readonly string[]
  value: string
  onChange: (column: string) => void
}) {
  const { label, hint, columns, value, onChange } = props
  const id = useId()
  return (
    <div>
      <label for={id}>{say(label)}</label>
      <small id={`${id}-hint`} class="soft">
        {say(hint)}
      </small>
      <select
        id={id}
        aria-describedby={`${id}-hint`}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {columns.map((column) => (
          <option key={column} value={column}>
            {column || '–'}
          </option>
        ))}
      </select>
    </div>
  )
}

/** The claim that a column means. */
function ClaimField(props: {
  column: string
  targets: readonly Target[]
  value: string
  onChange: (path: string) => void
}) {
  const { column, targets, value, onChange } = props
  const id = useId()
  return (
    <div>
      <label class="column" for={id}>
        {column}
      </label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{say(uploadTexts.unused)}</option>
        {targets.map(({ path, label, isRequired }) => (
          <option key={path} value={path}>
            {isRequired ? say(uploadTexts.required, { name: label }) : label}
          </option>
        ))}
      </select>
    </div>
  )
}
