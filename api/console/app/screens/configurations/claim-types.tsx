import { type ClaimNode, isLeaf } from '../../kit/claim-tree.ts'
import { say, type Text } from '../../kit/language.ts'
import { fieldTexts as labels } from './field-texts.ts'

const elementTypes = ['tstr', 'bstr', 'int', 'uint', 'bool', 'full-date', 'tdate', 'date'] as const
const valueTypes = ['string', 'integer', 'number', 'boolean', 'date', 'date-time', 'object', 'array'] as const

/** The type of an element of a mobile credential. Only JSON can express the type of a list or an object. */
export function ElementType(props: { type: unknown; called: string; onChange: (type: string | undefined) => void }) {
  const { type, called, onChange } = props
  const isOwn = typeof type === 'object'
  return (
    <Choice
      value={isOwn ? 'json' : typeof type === 'string' ? type : ''}
      choices={[
        ...elementTypes.map((each) => [each, labels[each]] as const),
        ...(isOwn ? [['json', labels.inJson] as const] : []),
      ]}
      called={called}
      isWrong={false}
      // Choosing another type removes a type that only JSON can express.
      onChange={(chosen) => chosen !== 'json' && onChange(chosen)}
    />
  )
}

/** The type of a claim of an SD-JWT VC. Objects and arrays of the tree have none. */
export function ValueType(props: {
  node: ClaimNode
  called: string
  isWrong: boolean
  onChange: (type: string | undefined) => void
}) {
  const { node, ...others } = props
  if (!isLeaf(node)) return null
  return (
    <Choice {...others} value={node.type ?? ''} choices={valueTypes.map((each) => [each, labels[`value-${each}`]])} />
  )
}

function Choice(props: {
  value: string
  choices: readonly (readonly [value: string, label: Text])[]
  called: string
  isWrong: boolean
  onChange: (value: string | undefined) => void
}) {
  const { value, choices, called, isWrong, onChange } = props
  return (
    <select
      aria-label={`${say(labels.elementType)}: ${called}`}
      aria-invalid={isWrong || undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    >
      <option value="">–</option>
      {choices.map(([each, label]) => (
        <option key={each} value={each}>
          {say(label)}
        </option>
      ))}
    </select>
  )
}
