import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../../kit/api.ts'
import { Form } from '../../../kit/form.tsx'
import type { Field, Typed } from '../../../kit/form-values.ts'
import { say } from '../../../kit/language.ts'
import { commonTexts } from '../../../kit/texts.ts'
import { clientFields } from '../provider-fields.ts'
import { accessTexts } from '../texts.ts'
import { ScopeRows, scopeRowsOf, scopesOf } from './scope-rows.tsx'
import { serverTexts as t } from './texts.ts'

type Server = Schemas['AuthorizationServer']

/** The form of a new or an existing authorization server. Gives the warnings of a new one. */
export function ServerForm(props: {
  server: Server | undefined
  onSaved: (warnings: readonly string[]) => void
  onCancel: () => void
}) {
  const { server, onSaved, onCancel } = props
  const [start] = useState(() => startOf(server))
  const [{ check }, setTyped] = useState<Typed>({ check: start.check })
  const [scopes, setScopes] = useState(() => scopeRowsOf(server?.scopes ?? {}))
  const save = ({ check: _, ...typed }: Record<string, unknown>) => {
    // Boundary: the fields build the body of the operations, and the service validates it.
    const body = { ...typed, scopes: scopesOf(scopes) } as Schemas['AuthorizationServerRequest']
    return server
      ? callApi(api.PUT('/v1/openid/authorization-servers/{id}', { params: { path: { id: server.id } }, body }))
      : callApi(api.POST('/v1/openid/authorization-servers', { body }))
  }
  return (
    <>
      <p>
        <a href="/docs/guide/external-authorization-server#keycloak" target="_blank" rel="noreferrer">
          {say(t.keycloakSteps)}&nbsp;↗
        </a>
      </p>
      <Form
        calls={server ? 'updateAuthorizationServer' : 'createAuthorizationServer'}
        fields={[...tokenFields, ...(check === 'asked' ? clientOfIntrospection : [jwtProfileField]), ...personFields]}
        start={start}
        action={say(server ? commonTexts.save : commonTexts.create)}
        submit={save}
        onTyped={setTyped}
        onDone={({ warnings = [] }) => onSaved(warnings)}
        onCancel={onCancel}
      >
        <ScopeRows of={scopes} onChange={setScopes} />
      </Form>
    </>
  )
}

/** Usually the audience is the issuer identifier of the tenant, whose host is that of this page. */
function startOf(server: Server | undefined) {
  const introspection = { tokenEndpointAuthMethod: 'client_secret_basic', assertionAudience: 'issuer' }
  if (!server) return { audience: location.origin, subjectClaim: 'sub', check: 'signed', introspection }
  return { introspection, ...server, check: server.introspection ? 'asked' : 'signed' }
}

const tokenFields: readonly Field[] = [
  { name: 'name', label: commonTexts.name, required: true },
  {
    ...{ name: 'issuer', label: accessTexts.issuer, hint: t.issuerHint, required: true },
    placeholder: 'https://login.example.org/realms/citizens',
  },
  { name: 'audience', label: t.audience, hint: t.audienceHint, required: true },
  {
    ...{ name: 'check', label: t.check, hint: t.checkHint, kind: 'choice', required: true },
    choices: [
      { value: 'signed', label: t.signed },
      { value: 'asked', label: t.asked },
    ],
  },
]

const jwtProfileField: Field = {
  ...{ name: 'jwtProfile', label: t.jwtProfile, kind: 'choice', required: true },
  choices: [
    { value: 'at+jwt', label: t.rfc9068 },
    { value: 'keycloak', label: t.keycloak },
  ],
}

/** The fields of the client of introspection, which has no scopes. */
const clientOfIntrospection: readonly Field[] = clientFields
  .filter(({ name }) => name !== 'scope')
  .map((field) => ({ ...field, name: `introspection.${field.name}` }))

const personFields: readonly Field[] = [
  { name: 'subjectClaim', label: accessTexts.userClaim, hint: t.subjectHint, required: true },
  { name: 'claimsToPersist', label: accessTexts.persisted, kind: 'lines', rows: 3 },
  { name: 'userInfo', label: t.userInfo, hint: t.userInfoHint, kind: 'tick' },
]
