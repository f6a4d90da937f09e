import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Collection } from '../../kit/collection.tsx'
import { DialogButton } from '../../kit/dialog-button.tsx'
import { FieldInput, Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say, verbatim } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { holderApplicationTexts, instanceTexts as t } from './holder-application-texts.ts'
import { Instances } from './holder-instances.tsx'

type App = Schemas['HolderApplication']

const path = '/v1/holder/applications'
const name: Field = { name: 'name', label: commonTexts.name, required: true }
const byType: Record<App['type'], readonly Field[]> = {
  android: [
    name,
    { name: 'packageName', label: t.package, required: true, placeholder: 'com.example.wallet' },
    {
      ...{ name: 'packageSigningCertificateThumbprints', kind: 'lines', rows: 2, required: true },
      ...{ label: t.thumbprints, hint: t.thumbprintsHint },
    },
    {
      ...{ name: 'keyAttestation.required', kind: 'tick', isTrueByDefault: true },
      ...{ label: t.attested, hint: t.attestedHint },
    },
    { name: 'keyAttestation.rootCertificates', kind: 'pem', label: t.roots, hint: t.rootsHint },
  ],
  ios: [
    name,
    { name: 'bundleId', label: t.bundle, required: true, placeholder: 'com.example.wallet' },
    { name: 'teamId', label: t.team, required: true },
  ],
}
const typeField: Field = {
  ...{ name: 'type', kind: 'choice', required: true, label: t.platform },
  choices: [
    { value: 'android', label: verbatim('Android') },
    { value: 'ios', label: verbatim('iOS') },
  ],
}

/** The tenant's own apps of holders, and their registered instances. */
export function HolderApplications() {
  return (
    <Collection<App>
      calls={{
        create: 'createHolderApplication',
        change: 'updateHolderApplication',
        remove: 'deleteHolderApplication',
      }}
      texts={holderApplicationTexts}
      list={(query) => callApi(api.GET(path, { params: { query } }))}
      idOf={({ id }) => id}
      path={path}
      columns={[
        { head: commonTexts.name, cell: ({ name }) => name },
        { head: t.platform, cell: ({ type }) => (type === 'ios' ? 'iOS' : 'Android') },
        { head: t.identifier, cell: (app) => (app.type === 'ios' ? app.bundleId : app.packageName) },
      ]}
      form={(app, end) => <AppForm app={app} end={end} />}
      actions={({ id, name }) => (
        <DialogButton label={say(t.instances)} title={`${say(t.instances)}: ${name}`}>
          {() => <Instances applicationId={id} />}
        </DialogButton>
      )}
      deletion={{
        word: ({ name }) => name,
        act: ({ id }) => callApi(api.DELETE(`${path}/{applicationId}`, { params: { path: { applicationId: id } } })),
      }}
    />
  )
}

function AppForm({ app, end }: { app: App | undefined; end: () => void }) {
  const [type, setType] = useState<App['type']>(app?.type ?? 'android')
  const save = (body: Schemas['HolderApplicationRequest']) =>
    app
      ? callApi(api.PUT(`${path}/{applicationId}`, { params: { path: { applicationId: app.id } }, body }))
      : callApi(api.POST(path, { body }))
  return (
    <>
      {!app && (
        <FieldInput
          field={typeField}
          value={type}
          fault={undefined}
          // Boundary: the choices of the field are of this type.
          onChange={(value) => setType(value as App['type'])}
        />
      )}
      <Form
        calls={app ? 'updateHolderApplication' : 'createHolderApplication'}
        fields={byType[type]}
        start={app?.type === 'android' ? withText(app) : app}
        action={say(app ? commonTexts.save : commonTexts.create)}
        submit={(body) => save(bodyOf(type, body))}
        onDone={end}
        onCancel={end}
      />
    </>
  )
}

type Android = Extract<App, { type: 'android' }>

const withText = ({ keyAttestation: { rootCertificates, ...rest }, ...app }: Android) => ({
  ...app,
  keyAttestation: { ...rest, rootCertificates: rootCertificates.join('\n') },
})

/** Adds the type, and splits pasted certificates into a list. */
function bodyOf(type: App['type'], body: Record<string, unknown>): Schemas['HolderApplicationRequest'] {
  // Boundary: the fields build the body of the operations, and the service validates it.
  if (type === 'ios') return { ...body, type } as Schemas['HolderApplicationRequest']
  const { rootCertificates = '', ...rest } = (body.keyAttestation ?? {}) as { rootCertificates?: string }
  const certificates = rootCertificates.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g)
  const list = certificates ?? (rootCertificates === '' ? [] : [rootCertificates])
  const whole = { ...body, type, keyAttestation: { ...rest, rootCertificates: list } }
  return whole as unknown as Schemas['HolderApplicationRequest']
}
