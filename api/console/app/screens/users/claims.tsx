import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { useAction } from '../../kit/dialog.tsx'
import { Facts, Json, Section } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say, verbatim } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { ProblemMessage } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { changeUser } from './change.ts'
import { userTexts } from './texts.ts'

type User = Schemas['User']

/** The claims are not loaded before the user reveals them, which records an event. */
export function Claims({ id }: { id: string }) {
  const [revealed, setRevealed] = useState<User>()
  const [isChanging, setChanging] = useState(false)
  const reveal = useAction(() => callApi(api.GET('/v1/users/{id}', { params: { path: { id } } })), setRevealed)
  const hide = () => {
    setRevealed(undefined)
    setChanging(false)
  }
  const actions = revealed && (
    <>
      {!isChanging && can('updateUser') && (
        <button type="button" onClick={() => setChanging(true)}>
          {say(commonTexts.edit)}
        </button>
      )}
      <button type="button" onClick={hide}>
        {say(userTexts.hide)}
      </button>
    </>
  )
  return (
    <Section title={say(userTexts.personClaims)} actions={actions}>
      {!revealed && (
        <>
          <p class="soft">{say(userTexts.revealAdvice)}</p>
          <button type="button" disabled={reveal.isBusy} onClick={() => void reveal.run()}>
            {say(userTexts.reveal)}
          </button>
        </>
      )}
      {reveal.problem && <ProblemMessage problem={reveal.problem} />}
      {revealed && !isChanging && <Revealed user={revealed} />}
      {revealed && isChanging && (
        <Form
          calls={['updateUser', 'users:read']}
          fields={[claimsField]}
          start={revealed}
          action={say(commonTexts.save)}
          submit={({ claims = {} }) =>
            // Boundary: the service validates the body.
            changeUser(id, { claims: claims as User['claims'] })
          }
          onDone={(changed) => {
            setRevealed(changed)
            setChanging(false)
          }}
          onCancel={() => setChanging(false)}
        />
      )}
    </Section>
  )
}

const claimsField: Field = {
  ...{ name: 'claims', kind: 'json', label: userTexts.claims, hint: userTexts.claimsHint },
  ...{ rows: 12, required: true },
}

function Revealed({ user: { claims, authenticationProvider: at } }: { user: User }) {
  const entries = Object.entries(claims)
  if (entries.length === 0 && !at) return <p>{say(userTexts.nothingKnown)}</p>
  return (
    <Facts
      of={[
        ...entries.map(([name, value]) => [verbatim(name), <Value key={name} value={value} />] as const),
        [userTexts.signsInAt, at && (at.url ?? at.providerId)],
        [userTexts.subject, at?.subjectId],
      ]}
    />
  )
}

/** A long text is usually a picture. */
function Value({ value }: { value: unknown }) {
  if (typeof value === 'object' && value !== null) return <Json value={value} />
  const text = String(value)
  return <>{text.length > 500 ? `${text.slice(0, 100)}…` : text}</>
}
