import { say } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import type { Body } from './body.ts'
import { claimNameFields } from './fields.ts'
import { RecordRows } from './record-rows.tsx'
import { configurationTexts as own } from './texts.ts'

/** The display names of a claim. They are rarely used. */
export function ClaimDetails(props: {
  mapping: Body
  put: (member: string, value: unknown) => void
  details: Problem['details']
  /** The path of the claim in the body. */
  at: string
  called: string
}) {
  const { mapping, put, details, at, called } = props
  return (
    <details>
      <summary>
        {say(own.names)}
        <span class="unseen">: {called}</span>
      </summary>
      <RecordRows
        name={`${at}.display`}
        fields={claimNameFields}
        value={mapping.display}
        each={own.nameNumber}
        add={own.addName}
        first={{ name: '', locale: 'en' }}
        details={details}
        change={(rows) => put('display', rows)}
      />
    </details>
  )
}
