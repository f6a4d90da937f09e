import type { ComponentChildren } from 'preact'
import { say, type Text } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { claimNameFields } from './fields.ts'
import { RecordRows } from './record-rows.tsx'
import { configurationTexts as own } from './texts.ts'

/** The display names of a claim, which are rarely used, and further fields. */
export function ClaimDetails(props: {
  display: unknown
  put: (member: string, value: unknown) => void
  details: Problem['details']
  /** The path of the claim in the body. */
  at: string
  called: string
  summary?: Text
  isOpen?: boolean
  children?: ComponentChildren
}) {
  const { display, put, details, at, called, summary = own.names, isOpen, children } = props
  return (
    <details open={isOpen || undefined}>
      <summary>
        {say(summary)}
        <span class="unseen">: {called}</span>
      </summary>
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
      {children}
    </details>
  )
}
