import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../kit/api.ts'
import { Section } from '../../kit/bits.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { ConfirmButton, useAction } from '../../kit/dialog.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { Shown, Trouble } from '../../kit/states.tsx'
import { words } from '../../kit/texts.ts'
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

const save = (body: Body) => ask(api.PUT('/v1/openid/configuration', { body }))

/** The page of the tenant that people pass between signing in and their credential. */
export function Hook() {
  const hook = useRead(() => ask(api.GET('/v1/openid/configuration')), [])
  const [isSaved, setSaved] = useState(false)
  const [result, setResult] = useState<Schemas['TestOpenIdConfigurationResponse']>()
  const { run, problem, isBusy } = useAction(() => ask(api.POST('/v1/openid/configuration/test')), setResult)
  const tryIt = (
    <button type="button" disabled={isBusy} onClick={() => void run()}>
      {say(accessTexts.tryIt)}
    </button>
  )
  return (
    <Shown of={hook}>
      {({ interactionHook }) => (
        <>
          <Section title={say(accessTexts.hook)} actions={interactionHook && tryIt}>
            <p class="soft">{say(accessTexts.hookAbout)}</p>
            {problem && <Trouble problem={problem} />}
            {result && <Tried {...result} />}
            <Form
              fields={fields}
              start={interactionHook ? { interactionHook } : start}
              action={say(words.save)}
              submit={save}
              onDone={() => {
                setSaved(true)
                void hook.reload()
              }}
            />
            {isSaved && (
              <p class="note" role="status">
                {say(words.saved)}
              </p>
            )}
          </Section>
          {interactionHook && <Secret hook={interactionHook} onRenewed={() => void hook.reload()} />}
        </>
      )}
    </Shown>
  )
}

/** Hidden until it is asked for: somebody may be looking on. */
function Secret({ hook, onRenewed }: { hook: Known; onRenewed: () => void }) {
  const [isShown, setShown] = useState(false)
  const { secret, ...content } = hook
  const renew = (
    <ConfirmButton
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
          {say(isShown ? accessTexts.hide : words.show)}
        </button>
      </p>
    </Section>
  )
}
