import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmButton, useAction } from '../../kit/dialog.tsx'
import { Section } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { ManagedMark } from '../../kit/managed-mark.tsx'
import { ProblemMessage, Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { ProviderEmpty } from './provider-empty.tsx'
import { ProviderFacts } from './provider-facts.tsx'
import { clientFields, issuerField } from './provider-fields.ts'
import { accessTexts } from './texts.ts'
import { Checks } from './tried.tsx'

type Provider = Schemas['AuthenticationProvider']

const fields: readonly Field[] = [
  issuerField('url'),
  ...clientFields,
  { name: 'claimsToPersist', label: accessTexts.persisted, kind: 'lines', rows: 3 },
  { name: 'forwardedRequestParameters', label: accessTexts.forwarded, kind: 'lines', rows: 2 },
  { name: 'staticRequestParameters', label: accessTexts.fixed, kind: 'json', rows: 3 },
]
const start = {
  scope: ['openid', 'profile', 'email'],
  tokenEndpointAuthMethod: 'client_secret_basic',
  assertionAudience: 'issuer',
}

/** The provider at which holders sign in. A tenant has at most one. */
export function HolderProvider() {
  const [{ edit }, change] = useQuery()
  const providers = useRead(() => callApi(api.GET('/v1/users/authentication-providers')), [])
  const end = () => {
    void providers.reload()
    change({ edit: undefined })
  }
  return (
    <Shown of={providers}>
      {({ data: [provider] }) => (
        <>
          {edit ? (
            <Section title={say(accessTexts.holders)}>
              <ProviderForm provider={provider} end={end} />
            </Section>
          ) : provider ? (
            <Known provider={provider} onEdit={() => change({ edit: '1' })} onDeleted={end} />
          ) : (
            <ProviderEmpty
              title={accessTexts.holders}
              about={accessTexts.holdersAbout}
              redirectPath="/v1/oauth/authentication/callback"
              onSetUp={() => change({ edit: '1' })}
            />
          )}
        </>
      )}
    </Shown>
  )
}

function ProviderForm({ provider, end }: { provider: Provider | undefined; end: () => void }) {
  const save = (body: Schemas['AuthenticationProviderRequest']) =>
    provider
      ? callApi(api.PUT('/v1/users/authentication-providers/{id}', { params: { path: { id: provider.id } }, body }))
      : callApi(api.POST('/v1/users/authentication-providers', { body }))
  return (
    <Form
      fields={fields}
      start={provider ?? start}
      action={say(commonTexts.save)}
      submit={save}
      onDone={end}
      onCancel={end}
    />
  )
}

function Known(props: { provider: Provider; onEdit: () => void; onDeleted: () => void }) {
  const { provider, onEdit, onDeleted } = props
  const params = { path: { id: provider.id } }
  const [result, setResult] = useState<Schemas['TestSignInProviderResponse']>()
  const { run, problem, isBusy } = useAction(
    () => callApi(api.POST('/v1/users/authentication-providers/{id}/test', { params })),
    setResult,
  )
  const actions = (
    <>
      <button type="button" class="primary" disabled={isBusy} onClick={() => void run()}>
        {say(accessTexts.tryIt)}
      </button>
      <button type="button" onClick={onEdit}>
        {say(commonTexts.edit)}
      </button>
      <ConfirmButton
        label={say(commonTexts.delete)}
        title={say(accessTexts.deleteProvider)}
        word={new URL(provider.url).hostname}
        act={() => callApi(api.DELETE('/v1/users/authentication-providers/{id}', { params }))}
        onDone={onDeleted}
      >
        <p>{say(accessTexts.deleteHolders)}</p>
      </ConfirmButton>
    </>
  )
  return (
    <Section title={say(accessTexts.holders)} actions={actions}>
      <p class="soft">{say(accessTexts.holdersAbout)}</p>
      <ManagedMark resource={`/v1/users/authentication-providers/${provider.id}`} />
      {problem && <ProblemMessage problem={problem} />}
      {result && <Checks {...result} names={accessTexts} />}
      <ProviderFacts
        of={{ ...provider, issuer: provider.url }}
        more={[[accessTexts.persisted, provider.claimsToPersist.join(' ') || say(commonTexts.none)]]}
      />
    </Section>
  )
}
