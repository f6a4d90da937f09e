import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Section } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { Versioned } from '../../kit/versioned.tsx'
import { ruleTexts } from './rule-texts.ts'
import { approvalTexts as t } from './texts.ts'

type Rules = NonNullable<Schemas['OwnSettings']['approvals']>

/** The rules in the form of the fields: the only number of `authorityDeletions` is 0, so that its field is a tick. */
interface Typed extends Omit<Rules, 'authorityDeletions'> {
  authorityDeletions: boolean
}

const fields: readonly Field[] = [
  { name: 'statusChanges', label: ruleTexts.statusChanges, kind: 'number' },
  { name: 'bulkIssuances', label: ruleTexts.bulkIssuances, kind: 'number' },
  { name: 'authorityDeletions', label: ruleTexts.authorityDeletions, kind: 'tick' },
  { name: 'configurationDeletions', label: ruleTexts.configurationDeletions, kind: 'number' },
  { name: 'expiresAfterHours', label: ruleTexts.expiresAfterHours, hint: t.hoursHint, kind: 'number' },
]

/** The form of the rules by which requests need an approval. A change to fewer approvals becomes a request of the list. */
export function ApprovalRules({ onWaiting }: { onWaiting: () => void }) {
  const [outcome, setOutcome] = useState<'saved' | 'waiting'>()
  const settings = useRead(() => callApi(api.GET('/v1/settings')), [])
  const submit = async ({ authorityDeletions, ...numbers }: Typed, etag: string | undefined) => {
    const approvals: Rules = { ...numbers, ...(authorityDeletions && { authorityDeletions: 0 }) }
    const params = { query: { partial: 'true' }, header: etag ? { 'If-Match': etag } : {} } as const
    return callApi(api.PUT('/v1/settings', { params, body: { approvals } }))
  }
  return (
    <Section title={say(t.rules)}>
      <p class="soft">{say(t.rulesAbout)}</p>
      {outcome && (
        <p class="note" role="status">
          {say(outcome === 'saved' ? commonTexts.saved : t.changeWaits)}
        </p>
      )}
      <Versioned of={settings}>
        {({ approvals = {} }, etag, showTheirs) => (
          <Form
            calls="updateSettings"
            fields={fields}
            start={{ ...approvals, authorityDeletions: approvals.authorityDeletions !== undefined }}
            action={say(commonTexts.save)}
            submit={(body: Typed) => submit(body, etag)}
            onDone={(answer) => {
              const isWaiting = 'approval' in answer
              setOutcome(isWaiting ? 'waiting' : 'saved')
              if (isWaiting) onWaiting()
              showTheirs()
            }}
            onTheirs={showTheirs}
          />
        )}
      </Versioned>
    </Section>
  )
}
