import { useId, useRef, useState } from 'preact/hooks'
import { say, type Text } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { type Body, isSame } from './body.ts'
import { ClaimDetails } from './claim-details.tsx'
import {
  type ClaimRow,
  groupsOf,
  isRepeated,
  mappingsOf,
  movedTo,
  newRow,
  renamed,
  rowsOf,
  stepped,
} from './claim-rows.ts'
import { ElementType } from './claim-types.tsx'
import { fieldTexts as labels } from './field-texts.ts'
import { dropping, type Ordered, RowButtons } from './row-order.tsx'
import { configurationTexts as own } from './texts.ts'

/**
 * The claims of a body as rows. Rows stay as typed while they match the body. If the body changes otherwise, for example in the
 * JSON, the rows are built from the body again.
 */
export function useClaimRows(body: Body, isMobile: boolean, change: (mappings: Body) => void) {
  const [typed, setTyped] = useState<readonly ClaimRow[]>(() => rowsOf(body.claimMappings, isMobile))
  const cached = useRef<{ of: unknown; rows: readonly ClaimRow[] }>(undefined)
  let rows = typed
  if (!isSame(mappingsOf(typed, isMobile), body.claimMappings ?? {})) {
    if (cached.current?.of !== body.claimMappings)
      cached.current = { of: body.claimMappings, rows: rowsOf(body.claimMappings, isMobile) }
    rows = cached.current?.rows ?? []
  }
  const setRows = (next: readonly ClaimRow[]) => {
    setTyped(next)
    change(mappingsOf(next, isMobile))
  }
  return { rows, setRows, hasRepeated: rows.some((row) => isRepeated(rows, row)) }
}

/** The claims of a credential and the sources of their values. Those of a mobile credential are in groups by namespace. */
export function ClaimsTable(props: {
  rows: readonly ClaimRow[]
  setRows: (rows: readonly ClaimRow[]) => void
  isMobile: boolean
  /** The document type of a mobile credential, which is the namespace of its first claim. */
  docType: string
  details: Problem['details']
}) {
  const { rows, setRows, isMobile, docType } = props
  const groups = groupsOf(rows)
  const lastNamespace = groups.at(-1)?.[0] ?? (isMobile ? docType : '')
  const hasEmptyNamespace = groups.some(([namespace]) => namespace === '')
  return (
    <>
      <p class="soft">{say(own.claimsHint)}</p>
      {rows.length > 0 && (
        <>
          <p class="soft">
            {isMobile && say(labels.elementTypeHint)} {say(own.orderHint)}
          </p>
          <table class="claims">
            <caption class="unseen">{say(own.claims)}</caption>
            <thead>
              <tr>
                {headsOf(isMobile).map(([name, head]) => (
                  <th key={name} scope="col" class={name}>
                    {say(head)}
                  </th>
                ))}
              </tr>
            </thead>
            {/* A new key of a group would remove the focus from its inputs. */}
            {groups.map(([namespace, inside], index) => (
              <tbody key={index}>
                {isMobile && <NamespaceRow {...{ namespace, rows, setRows }} />}
                <Rows {...props} inside={inside} />
              </tbody>
            ))}
          </table>
        </>
      )}
      <div class="actions">
        <button type="button" onClick={() => setRows([...rows, newRow(lastNamespace)])}>
          {say(own.addClaim)}
        </button>
        {isMobile && (
          <button type="button" disabled={hasEmptyNamespace} onClick={() => setRows([...rows, newRow('')])}>
            {say(own.addNamespace)}
          </button>
        )}
      </div>
    </>
  )
}

/** The names and texts of the columns. Only the claims of a mobile credential have a type. */
function headsOf(isMobile: boolean): [name: string, head: Text][] {
  return [
    ['claim', labels.claim],
    ...(isMobile ? [['type', labels.elementType] as [string, Text]] : []),
    ['from', labels.mapFrom],
    ['default', labels.defaultValue],
    ['required', labels.required],
    ['order', own.order],
  ]
}

/** The namespace of a group. It applies when the input is left, because a half typed one may be that of another group. */
function NamespaceRow(props: {
  namespace: string
  rows: readonly ClaimRow[]
  setRows: (rows: readonly ClaimRow[]) => void
}) {
  const { namespace, rows, setRows } = props
  const id = useId()
  const rename = (to: string) =>
    setRows(rows.map((row) => (row.namespace === namespace ? { ...row, namespace: to } : row)))
  return (
    <tr class="namespace">
      <th scope="rowgroup" colSpan={6}>
        <label for={id}>{say(labels.namespace)}</label>
        <input
          id={id}
          value={namespace}
          autoComplete="off"
          spellcheck={false}
          onChange={(event) => rename(event.currentTarget.value)}
        />
      </th>
    </tr>
  )
}

function Rows(props: Parameters<typeof ClaimsTable>[0] & { inside: readonly ClaimRow[] }) {
  const { rows, setRows, isMobile, details, inside } = props
  const replace = (next: ClaimRow) => setRows(rows.map((row) => (row.key === next.key ? next : row)))
  return (
    <>
      {inside.map((row, index) => (
        <Row
          key={row.key}
          {...{ row, isMobile, replace }}
          index={rows.indexOf(row)}
          isFirst={index === 0}
          isLast={index === inside.length - 1}
          isTwice={isRepeated(rows, row)}
          details={details.filter(({ param }) => `${param}.`.startsWith(`${paramOf(row, isMobile)}.`))}
          remove={() => setRows(rows.filter(({ key }) => key !== row.key))}
          step={(by) => setRows(stepped(rows, row, by))}
          dragKey={String(row.key)}
          drop={(key) => setRows(movedTo(rows, Number(key), row))}
        />
      ))}
    </>
  )
}

/** Returns the path of a claim in the body. */
function paramOf({ namespace, name }: ClaimRow, isMobile: boolean): string {
  return ['claimMappings', ...(isMobile ? [namespace] : []), name].join('.')
}

function Row(
  props: Ordered & {
    row: ClaimRow
    index: number
    isMobile: boolean
    isTwice: boolean
    details: Problem['details']
    replace: (row: ClaimRow) => void
    remove: () => void
  },
) {
  const { row, index, isMobile, isTwice, details, replace } = props
  const { mapping, name } = row
  const called = name || String(index + 1)
  const faults = [...(isTwice ? [say(own.isTwice)] : []), ...new Set(details.map(({ message }) => message))]
  const put = (member: string, value: unknown) => {
    const { [member]: _, ...rest } = mapping
    replace({ ...row, mapping: value === undefined ? rest : { ...mapping, [member]: value } })
  }
  const input = (label: Text, value: unknown, onType: (text: string) => void, placeholder?: string) => (
    <TextInput label={`${say(label)}: ${called}`} isWrong={faults.length > 0} {...{ value, onType, placeholder }} />
  )
  return (
    <tr {...dropping(props)}>
      <td data-head={say(labels.claim)}>
        <div>
          {input(labels.claim, name, (text) => replace(renamed(row, text)))}
          {faults.map((fault) => (
            <strong key={fault} class="fault">
              {fault}
            </strong>
          ))}
          <ClaimDetails {...{ put, details, called }} display={mapping.display} at={paramOf(row, isMobile)} />
        </div>
      </td>
      {isMobile && (
        <td data-head={say(labels.elementType)}>
          <ElementType type={mapping.type} called={called} onChange={(type) => put('type', type)} />
        </td>
      )}
      <td data-head={say(labels.mapFrom)}>
        {input(labels.mapFrom, mapping.mapFrom, (text) => put('mapFrom', text || undefined), 'claims.given_name')}
      </td>
      <td data-head={say(labels.defaultValue)}>
        {input(labels.defaultValue, mapping.defaultValue, (text) => put('defaultValue', text || undefined))}
      </td>
      <td data-head={say(labels.required)}>
        <input
          type="checkbox"
          aria-label={`${say(labels.required)}: ${called}`}
          checked={mapping.required === true}
          onChange={(event) => put('required', event.currentTarget.checked || undefined)}
        />
      </td>
      <td data-head="">
        <RowButtons {...props} called={called} />
      </td>
    </tr>
  )
}

/** A text field of a table, whose label is for assistive technology. */
export function TextInput(props: {
  label: string
  value: unknown
  isWrong: boolean
  placeholder: string | undefined
  onType: (text: string) => void
}) {
  const { label, value, isWrong, placeholder, onType } = props
  return (
    <input
      value={typeof value === 'string' ? value : ''}
      aria-label={label}
      aria-invalid={isWrong || undefined}
      autoComplete="off"
      spellcheck={false}
      placeholder={placeholder}
      onInput={(event) => onType(event.currentTarget.value)}
    />
  )
}
