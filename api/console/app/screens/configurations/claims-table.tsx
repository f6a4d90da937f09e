import { useRef, useState } from 'preact/hooks'
import { say, type Text } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { type Body, isSame } from './body.ts'
import { ClaimDetails } from './claim-details.tsx'
import { type ClaimRow, isRepeated, mappingsOf, newRow, renamed, rowsOf } from './claim-rows.ts'
import { fieldTexts as labels } from './field-texts.ts'
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

/** The claims of a credential and the sources of their values. */
export function ClaimsTable(props: {
  rows: readonly ClaimRow[]
  setRows: (rows: readonly ClaimRow[]) => void
  isMobile: boolean
  /** The document type of a mobile credential, which is the namespace of its first claim. */
  docType: string
  details: Problem['details']
}) {
  const { rows, setRows, isMobile, docType, details } = props
  const replace = (next: ClaimRow) => setRows(rows.map((row) => (row.key === next.key ? next : row)))
  return (
    <>
      <p class="soft">{say(own.claimsHint)}</p>
      {rows.length > 0 && (
        <table class="claims">
          <caption class="unseen">{say(own.claims)}</caption>
          <thead>
            <tr>
              {[isMobile ? labels.element : labels.claim, labels.mapFrom, labels.defaultValue, labels.required].map(
                (head) => (
                  <th key={head.en} scope="col">
                    {say(head)}
                  </th>
                ),
              )}
              <th scope="col">
                <span class="unseen">{say(own.removeIt)}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Row
                key={row.key}
                {...{ row, index, isMobile, replace }}
                isTwice={isRepeated(rows, row)}
                details={details.filter(({ param }) => `${param}.`.startsWith(`${paramOf(row, isMobile)}.`))}
                remove={() => setRows(rows.filter(({ key }) => key !== row.key))}
              />
            ))}
          </tbody>
        </table>
      )}
      <div class="actions">
        <button type="button" onClick={() => setRows([...rows, newRow(rows, docType)])}>
          {say(own.addClaim)}
        </button>
      </div>
    </>
  )
}

/** Returns the path of a claim in the body. */
function paramOf({ namespace, name }: ClaimRow, isMobile: boolean): string {
  return ['claimMappings', ...(isMobile ? [namespace] : []), name].join('.')
}

function Row(props: {
  row: ClaimRow
  index: number
  isMobile: boolean
  isTwice: boolean
  details: Problem['details']
  replace: (row: ClaimRow) => void
  remove: () => void
}) {
  const { row, index, isMobile, isTwice, details, replace, remove } = props
  const { mapping, name, namespace } = row
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
    <tr>
      <td data-head={say(isMobile ? labels.element : labels.claim)}>
        <div>
          {input(isMobile ? labels.element : labels.claim, name, (text) => replace(renamed(row, text)))}
          {isMobile && input(labels.namespace, namespace, (text) => replace({ ...row, namespace: text }))}
          {faults.map((fault) => (
            <strong key={fault} class="fault">
              {fault}
            </strong>
          ))}
          <ClaimDetails {...{ mapping, put, details, isMobile }} at={paramOf(row, isMobile)} called={called} />
        </div>
      </td>
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
        <button type="button" class="plain" aria-label={`${say(own.removeIt)}: ${called}`} onClick={remove}>
          ✕
        </button>
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
