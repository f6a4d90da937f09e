import { type ClaimPath, type Disclose, isLeaf, type PlacedNode } from '../../kit/claim-tree.ts'
import { FieldInput } from '../../kit/form.tsx'
import { say, type Text } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { TextInput } from './claims-table.tsx'
import { fieldTexts as labels } from './field-texts.ts'
import { claimNameFields } from './fields.ts'
import { RecordRows } from './record-rows.tsx'
import { configurationTexts as own } from './texts.ts'

interface RowProps {
  placed: PlacedNode
  details: Problem['details']
  /** Sets a member of the node. Undefined removes it. */
  put: (member: string, value: unknown) => void
  disclose: (value: Disclose | undefined) => void
  remove: () => void
}

/** A claim, an object or an array of the tree. Only claims have a source. */
export function TreeRow({ placed, details, put, disclose, remove }: RowProps) {
  const { path, node } = placed
  const called = path.map((segment) => segment ?? '[]').join(' › ')
  const leaf = isLeaf(node) ? node : undefined
  // Objects and arrays have no source.
  const headOf = (label: Text) => (leaf ? say(label) : '')
  const input = (member: 'mapFrom' | 'defaultValue') =>
    leaf && (
      <TextInput
        label={`${say(labels[member])}: ${called}`}
        isWrong={false}
        value={leaf[member]}
        placeholder={undefined}
        onType={(text) => put(member, text || undefined)}
      />
    )
  return (
    <tr>
      <td data-head={say(labels.claim)}>
        <div>
          <code>{called}</code>
          {!leaf && <span class="soft">{say('members' in node ? own.objectNode : own.arrayNode)}</span>}
          <NodeDetails {...{ placed, called, details, put }} />
        </div>
      </td>
      <td data-head={headOf(labels.mapFrom)}>{input('mapFrom')}</td>
      <td data-head={headOf(labels.defaultValue)}>{input('defaultValue')}</td>
      <td data-head={headOf(labels.required)}>
        {leaf && (
          <input
            type="checkbox"
            aria-label={`${say(labels.required)}: ${called}`}
            checked={leaf.required === true}
            onChange={(event) => put('required', event.currentTarget.checked || undefined)}
          />
        )}
      </td>
      <td data-head={say(own.disclosure)}>
        <Disclosure {...{ placed, called, disclose }} />
      </td>
      <td data-head="">
        <button type="button" class="plain" aria-label={`${say(own.removeIt)}: ${called}`} onClick={remove}>
          ✕
        </button>
      </td>
    </tr>
  )
}

function Disclosure({ placed, called, disclose }: Pick<RowProps, 'placed' | 'disclose'> & { called: string }) {
  return (
    <select
      aria-label={`${say(own.disclosure)}: ${called}`}
      value={placed.disclose ?? ''}
      onChange={({ currentTarget: { value } }) => disclose(value === 'always' || value === 'never' ? value : undefined)}
    >
      <option value="">{say(placed.isDisclosable ? own.byHolder : own.alwaysShown)} *</option>
      <option value="always">{say(own.byHolder)}</option>
      <option value="never">{say(own.alwaysShown)}</option>
    </select>
  )
}

const types = ['string', 'integer', 'number', 'boolean', 'date', 'date-time', 'object', 'array'] as const
const typeField = {
  name: 'type',
  label: labels.elementType,
  hint: labels.valueTypeHint,
  kind: 'choice',
  choices: types.map((value) => ({ value, label: labels[`value-${value}`] })),
} as const

/** The type of a claim, and the display names of a node. */
function NodeDetails({
  placed,
  called,
  details,
  put,
}: Pick<RowProps, 'placed' | 'details' | 'put'> & { called: string }) {
  const { path, node } = placed
  const param = paramOf(path)
  return (
    <details>
      <summary>
        {say(isLeaf(node) ? own.namesAndType : own.names)}
        <span class="unseen">: {called}</span>
      </summary>
      {isLeaf(node) && (
        <FieldInput
          field={typeField}
          value={node.type ?? ''}
          fault={details.find((each) => each.param === `${param}.type`)?.message}
          onChange={(value) => put('type', value || undefined)}
        />
      )}
      <RecordRows
        name={`${param}.display`}
        fields={claimNameFields}
        value={node.display}
        each={own.nameNumber}
        add={own.addName}
        first={{ name: '', locale: 'en' }}
        details={details}
        change={(rows) => put('display', rows)}
      />
    </details>
  )
}

/** Returns the path of a node in the body. */
function paramOf([name, ...path]: ClaimPath): string {
  const inside = path.flatMap((segment) => (segment === null ? ['each'] : ['members', segment]))
  return ['claimMappings', name, ...inside].join('.')
}
