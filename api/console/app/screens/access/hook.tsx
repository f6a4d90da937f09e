import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { CopyButton } from '../../kit/copy.tsx'
import { ConfirmButton, useAction } from '../../kit/dialog.tsx'
import { Section } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { ManagedMark } from '../../kit/managed-mark.tsx'
import { can } from '../../kit/session.ts'
import { ProblemMessage, Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { accessTexts } from './texts.ts'
import { Tried } from './tried.tsx'

type Body = Schemas['OpenIdConfigurationRequest']
type Known = NonNullable<Schemas['OpenIdConfiguration']['interactionHook']>

const fields: readonly Field[] = [
  {
    name: 'interactionHook.url',
    label: accessTexts.address,
    required: true,
    placeholder: 'https://hook.example.org/step',
  },
  { name: 'interactionHook.claims', label: accessTexts.hookClaims, kind: 'lines', rows: 3 },
  { name: 'interactionHook.sessionTimeoutInSec', label: accessTexts.hookTimeout, kind: 'number' },
  { name: 'interactionHook.disabled', label: accessTexts.hookDisabled, kind: 'tick' },
]
const start = { interactionHook: { sessionTimeoutInSec: 1200 } }

const save = (body: Body) => callApi(api.PUT('/v1/openid/configuration', { body }))

/** The interaction hook: the page of the tenant between sign-in and issuance. */
export function Hook() {
  const hook = useRead(() => callApi(api.GET('/v1/openid/configuration')), [])
  const [isSaved, setSaved] = useState(false)
  const [result, setResult] = useState<Schemas['TestOpenIdConfigurationResponse']>()
  const { run, problem, isBusy } = useAction(() => callApi(api.POST('/v1/openid/configuration/test')), setResult)
  const tryIt = (
    <button type="button" disabled={isBusy} onClick={() => void run()}>
      {say(accessTexts.tryIt)}
    </button>
  )
  return (
    <Shown of={hook}>
      {({ interactionHook }) => (
        <>
          <Section title={say(accessTexts.hook)} actions={interactionHook && can('testOpenIdConfiguration') && tryIt}>
            <p class="soft">{say(accessTexts.hookAbout)}</p>
            <ManagedMark resource="/v1/openid/configuration" />
            {problem && <ProblemMessage problem={problem} />}
            {result && <Tried {...result} />}
            <Form
              calls="updateOpenIdConfiguration"
              fields={fields}
              start={interactionHook ? { interactionHook } : start}
              action={say(commonTexts.save)}
              submit={save}
              onDone={() => {
                setSaved(true)
                void hook.reload()
              }}
            />
            {isSaved && (
              <p class="note" role="status">
                {say(commonTexts.saved)}
              </p>
            )}
          </Section>
          {interactionHook && <Secret hook={interactionHook} onRenewed={() => void hook.reload()} />}
        </>
      )}
    </Shown>
  )
}

/** The secret, hidden until the user shows it, because others may see the screen. */
function Secret({ hook, onRenewed }: { hook: Known; onRenewed: () => void }) {
  const [isShown, setShown] = useState(false)
  const { secret, ...content } = hook
  const renew = (
    <ConfirmButton
      calls="updateOpenIdConfiguration"
      label={say(accessTexts.newSecret)}
      title={say(accessTexts.newSecret)}
      isDanger
      act={() => save({ interactionHook: { ...content, renewSecret: true } })}
      onDone={onRenewed}
    >
      <p>{say(accessTexts.renewText)}</p>
    </ConfirmButton>
  )
  return (
    <Section title={say(accessTexts.hookSecret)} actions={renew}>
      <p class="actions">
        <code>{isShown ? secret : '•'.repeat(12)}</code>
        <CopyButton text={secret} label={say(accessTexts.hookSecret)} />
        <button type="button" class="plain" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {say(isShown ? accessTexts.hide : commonTexts.show)}
        </button>
      </p>
    </Section>
  )
}
