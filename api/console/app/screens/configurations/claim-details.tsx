import { FieldInput } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import type { Body } from './body.ts'
import { fieldTexts as labels } from './field-texts.ts'
import { claimNameFields } from './fields.ts'
import { RecordRows } from './record-rows.tsx'
import { configurationTexts as own } from './texts.ts'

const types = ['tstr', 'bstr', 'int', 'uint', 'bool', 'full-date', 'tdate', 'date'] as const

/** Rarely used settings of a claim: display names, and the type of a mobile element. */
export function ClaimDetails(props: {
  mapping: Body
  put: (member: string, value: unknown) => void
  details: Problem['details']
  isMobile: boolean
  /** The path of the claim in the body. */
  at: string
  called: string
}) {
  const { mapping, put, details, isMobile, at, called } = props
  const { type, display } = mapping
  const isOwnType = typeof type === 'object'
  const choices = [
    ...types.map((value) => ({ value, label: labels[value] })),
    ...(isOwnType ? [{ value: 'json', label: labels.inJson }] : []),
  ]
  return (
    <details>
      <summary>
        {say(isMobile ? own.namesAndType : own.names)}
        <span class="unseen">: {called}</span>
      </summary>
      {isMobile && (
        <FieldInput
          field={{ name: 'type', label: labels.elementType, hint: labels.elementTypeHint, kind: 'choice', choices }}
          value={isOwnType ? 'json' : typeof type === 'string' ? type : ''}
          fault={undefined}
          // Choosing another type removes a type that only JSON can express.
          onChange={(value) => value !== 'json' && put('type', value || undefined)}
        />
      )}
      <RecordRows
        name={`${at}.display`}
        fields={claimNameFields}
        value={display}
        each={own.nameNumber}
        add={own.addName}
        first={{ name: '', locale: 'en' }}
        details={details}
        change={(rows) => put('display', rows)}
      />
    </details>
  )
}
