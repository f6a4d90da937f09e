import { type ClaimPath, type Disclose, isLeaf, type PlacedNode } from '../../kit/claim-tree.ts'
import { say, type Text } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { BodyField, faultOf } from './body-field.tsx'
import { ClaimDetails } from './claim-details.tsx'
import { ValueType } from './claim-types.tsx'
import { TextInput } from './claims-table.tsx'
import { fieldTexts as labels } from './field-texts.ts'
import { svgIdField } from './fields.ts'
import { dropping, type Ordered, RowButtons } from './row-order.tsx'
import { configurationTexts as own } from './texts.ts'

interface RowProps extends Ordered {
  placed: PlacedNode
  details: Problem['details']
  /** Sets a member of the node. Undefined removes it. */
  put: (member: string, value: unknown) => void
  disclose: (value: Disclose | undefined) => void
  remove: () => void
}

/** A claim, an object or an array of the tree. Only claims have a source. */
export function TreeRow(props: RowProps) {
  const { placed, details, put, disclose } = props
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
  const typeFault = details.find(({ param }) => param === `${paramOf(path)}.type`)?.message
  return (
    <tr {...dropping(props)}>
      <td data-head={say(labels.claim)}>
        <div>
          <code>{called}</code>
          {!leaf && <span class="soft">{say('members' in node ? own.objectNode : own.arrayNode)}</span>}
          {typeFault && <strong class="fault">{typeFault}</strong>}
          <NodeDetails {...{ placed, called, details, put }} />
        </div>
      </td>
      <td data-head={headOf(labels.elementType)}>
        <ValueType isWrong={typeFault !== undefined} {...{ node, called }} onChange={(type) => put('type', type)} />
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
        <RowButtons {...props} called={called} />
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

/** The display names of a node, and the id of a claim in SVG templates. */
function NodeDetails({
  placed,
  called,
  details,
  put,
}: Pick<RowProps, 'placed' | 'details' | 'put'> & { called: string }) {
  const { path, node } = placed
  const param = paramOf(path)
  const hasFault = faultOf(`${param}.${svgIdField.name}`, details) !== undefined
  return (
    <ClaimDetails
      {...{ put, details, called }}
      display={node.display}
      at={param}
      summary={isLeaf(node) ? own.namesAndSvgId : own.names}
      isOpen={hasFault}
    >
      {isLeaf(node) && (
        <BodyField
          {...{ field: svgIdField, details }}
          at={`${param}.`}
          body={{ ...node }}
          change={({ svgId }) => put('svgId', svgId)}
        />
      )}
    </ClaimDetails>
  )
}

/** Returns the path of a node in the body. */
function paramOf([name, ...path]: ClaimPath): string {
  const inside = path.flatMap((segment) => (segment === null ? ['each'] : ['members', segment]))
  return ['claimMappings', name, ...inside].join('.')
}
