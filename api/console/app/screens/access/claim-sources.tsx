import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Collection } from '../../kit/collection.tsx'
import { FieldInput, Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say, verbatim } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { accessTexts, sourceTexts } from './texts.ts'
import { TrySource } from './try-source.tsx'

type Source = Schemas['ClaimSource']
type Kind = Source['authorization']['type']

const shared: readonly Field[] = [
  { name: 'name', label: commonTexts.name, required: true },
  { name: 'url', label: accessTexts.address, required: true, placeholder: 'https://register.example.org/students' },
  {
    name: 'requestMethod',
    label: accessTexts.method,
    kind: 'choice',
    required: true,
    choices: ['GET', 'POST'].map((value) => ({ value, label: verbatim(value) })),
  },
  {
    name: 'onFailure',
    label: accessTexts.onFailure,
    hint: accessTexts.onFailureHint,
    kind: 'choice',
    required: true,
    choices: [
      { value: 'refuse', label: accessTexts.refuseOnFailure },
      { value: 'issue', label: accessTexts.issueOnFailure },
    ],
  },
  { name: 'requestParameters', label: accessTexts.parameters, hint: accessTexts.parametersHint, kind: 'json' },
]
const byKind: Record<Kind, readonly Field[]> = {
  'api-key': [
    {
      name: 'authorization.value',
      label: accessTexts.key,
      hint: accessTexts.secretStays,
      kind: 'secret',
      required: true,
    },
  ],
  'oauth-client-credentials': [
    { name: 'authorization.value.tokenUrl', label: accessTexts.tokenUrl, required: true },
    { name: 'authorization.value.clientId', label: accessTexts.clientId, required: true },
    {
      name: 'authorization.value.clientSecret',
      label: accessTexts.clientSecret,
      hint: accessTexts.secretStays,
      kind: 'secret',
      required: true,
    },
    { name: 'authorization.value.scope', label: accessTexts.oneScope },
  ],
}
const kindField: Field = {
  name: 'authorization.type',
  label: accessTexts.sourceKind,
  kind: 'choice',
  required: true,
  choices: [
    { value: 'api-key', label: accessTexts.apiKey },
    { value: 'oauth-client-credentials', label: accessTexts.clientCredentials },
  ],
}

/** The systems of the tenant that the service queries for claims. */
export function ClaimSources() {
  return (
    <Collection<Source>
      calls={{ create: 'createClaimSource', change: 'updateClaimSource', remove: 'deleteClaimSource' }}
      texts={sourceTexts}
      list={(query) => callApi(api.GET('/v1/claim-sources', { params: { query } }))}
      idOf={({ id }) => id}
      path="/v1/claim-sources"
      columns={[
        { head: commonTexts.name, cell: ({ name }) => name },
        { head: accessTexts.address, cell: ({ url }) => url },
        {
          head: accessTexts.sourceKind,
          cell: ({ authorization }) =>
            say(authorization.type === 'api-key' ? accessTexts.apiKey : accessTexts.clientCredentials),
        },
      ]}
      form={(source, end) => <SourceForm source={source} end={end} />}
      actions={(source) => <TrySource id={source.id} name={source.name} />}
      deletion={{
        word: ({ name }) => name,
        act: ({ id }) => callApi(api.DELETE('/v1/claim-sources/{id}', { params: { path: { id } } })),
      }}
    />
  )
}

function SourceForm({ source, end }: { source: Source | undefined; end: () => void }) {
  const [kind, setKind] = useState<Kind>(source?.authorization.type ?? 'api-key')
  const save = (body: Schemas['ClaimSourceRequest']) =>
    source
      ? callApi(api.PUT('/v1/claim-sources/{id}', { params: { path: { id: source.id } }, body }))
      : callApi(api.POST('/v1/claim-sources', { body }))
  return (
    <>
      <FieldInput
        field={kindField}
        value={kind}
        fault={undefined}
        // Boundary: the choices of the field are of this type.
        onChange={(value) => setKind(value as Kind)}
      />
      <Form
        calls={source ? 'updateClaimSource' : 'createClaimSource'}
        fields={[...shared, ...byKind[kind]]}
        start={source ?? { requestMethod: 'GET', onFailure: 'refuse' }}
        action={say(source ? commonTexts.save : commonTexts.create)}
        submit={({ authorization, ...body }) =>
          // Boundary: the fields build the body of the operation, and the service validates it.
          save({
            ...body,
            authorization: { ...(authorization as object), type: kind },
          } as Schemas['ClaimSourceRequest'])
        }
        onDone={end}
        onCancel={end}
      />
    </>
  )
}
