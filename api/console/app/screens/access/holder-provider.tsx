import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { ManagedMark } from '../../kit/managed-mark.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { ProviderFacts } from './provider-facts.tsx'
import { clientFields, issuerField } from './provider-fields.ts'
import {
  type ProviderActions,
  type ProviderCalls,
  ProviderScreen,
  ProviderSection,
  useProviderTest,
} from './provider-screen.tsx'
import { accessTexts } from './texts.ts'

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

const calls: ProviderCalls = {
  ...{ create: 'createAuthenticationProvider', change: 'updateAuthenticationProvider' },
  ...{ test: 'testAuthenticationProvider', remove: 'deleteAuthenticationProvider' },
}

const texts = {
  title: accessTexts.holders,
  about: accessTexts.holdersAbout,
  redirectPath: '/v1/oauth/authentication/callback',
  deletion: accessTexts.deleteHolders,
}

/** The provider at which holders sign in. */
export function HolderProvider() {
  return (
    <ProviderScreen
      {...{ calls, texts }}
      of={useRead(() => callApi(api.GET('/v1/users/authentication-providers')), [])}
      providerOf={({ data: [provider] }) => provider}
      form={(provider, end) => <ProviderForm {...{ provider, end }} />}
      existing={(provider, actions) => <Existing {...{ provider, ...actions }} />}
    />
  )
}

function ProviderForm({ provider, end }: { provider: Provider | undefined; end: () => void }) {
  const save = (body: Schemas['AuthenticationProviderRequest']) =>
    provider
      ? callApi(api.PUT('/v1/users/authentication-providers/{id}', { params: { path: { id: provider.id } }, body }))
      : callApi(api.POST('/v1/users/authentication-providers', { body }))
  return (
    <Form
      calls={provider ? 'updateAuthenticationProvider' : 'createAuthenticationProvider'}
      fields={fields}
      start={provider ?? start}
      action={say(commonTexts.save)}
      submit={save}
      onDone={end}
      onCancel={end}
    />
  )
}

function Existing({ provider, ...actions }: ProviderActions & { provider: Provider }) {
  const params = { path: { id: provider.id } }
  const test = useProviderTest(() => callApi(api.POST('/v1/users/authentication-providers/{id}/test', { params })))
  return (
    <ProviderSection
      {...actions}
      word={new URL(provider.url).hostname}
      test={test}
      onTest={() => void test.run()}
      remove={() => callApi(api.DELETE('/v1/users/authentication-providers/{id}', { params }))}
      mark={<ManagedMark resource={`/v1/users/authentication-providers/${provider.id}`} />}
    >
      <ProviderFacts
        of={{ ...provider, issuer: provider.url }}
        more={[[accessTexts.persisted, provider.claimsToPersist.join(' ') || say(commonTexts.none)]]}
      />
    </ProviderSection>
  )
}
