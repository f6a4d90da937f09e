import { useState } from 'preact/hooks'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { nameOfConfiguration, useConfigurations } from '../../kit/configurations.ts'
import { CopyButton, Id } from '../../kit/copy.tsx'
import { Json, Verbatim } from '../../kit/elements.tsx'
import { FieldInput, Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say, verbatim } from '../../kit/language.ts'
import { Qr } from '../../kit/qr.tsx'
import { Screen } from '../../kit/screen.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { signingTexts as t } from './signing-texts.ts'
import { credentialTexts } from './texts.ts'

type Profile = 'compact' | 'compact-semantic' | 'web-semantic' | 'sd-jwt'

/** A signed credential, in one form for all profiles. */
interface Signed {
  id: string
  text: string
  content: unknown
}

const subject = { type: ['CourseCertificate'], credentialSubject: { given_name: 'Ada' } }
const starts: Record<Profile, object> = {
  compact: { payload: { type: 'CourseCertificate', given_name: 'Ada' } },
  'compact-semantic': { payload: { vc: { ...subject, type: ['VerifiableCredential', ...subject.type] } } },
  'web-semantic': { payload: subject },
  'sd-jwt': { claims: { given_name: 'Ada' } },
}

/** Signs a credential directly. */
export default function Sign() {
  const [{ profile }, change] = useQuery()
  const chosen = isProfile(profile) ? profile : 'compact'
  const [signed, setSigned] = useState<Signed>()
  return (
    <Screen title={say(t.title)} up={{ href: to('/credentials'), title: say(credentialTexts.credentials) }}>
      <p class="soft">{say(t.about)}</p>
      <div class="fields signing">
        <FieldInput
          field={profileField}
          value={chosen}
          fault={undefined}
          onChange={(value) => {
            setSigned(undefined)
            change({ profile: String(value) })
          }}
        />
      </div>
      <Form
        calls="signCompact"
        key={chosen}
        fields={useFields(chosen)}
        start={starts[chosen]}
        action={say(t.sign)}
        submit={(body) => sign(chosen, body)}
        drafts={(body) => ({ method: 'POST', path: `/v2/credentials/${chosen}/sign`, body })}
        onDone={setSigned}
      />
      {signed && <Result key={signed.id} of={signed} />}
    </Screen>
  )
}

const isProfile = (name: string | undefined): name is Profile => name !== undefined && Object.hasOwn(starts, name)

const profileField: Field = {
  ...{ name: 'profile', kind: 'choice', required: true, label: t.profile },
  choices: Object.keys(starts).map((value) => ({ value, label: verbatim(value) })),
}
const revocable: Field = { name: 'revocable', kind: 'tick', label: t.revocable }

function useFields(profile: Profile): readonly Field[] {
  const all = useConfigurations().data ?? []
  if (profile !== 'sd-jwt')
    return [
      { name: 'payload', kind: 'json', rows: 10, required: true, label: t.payload, hint: t.payloadHint },
      revocable,
    ]
  const choices = all
    .filter((each) => each.profile === profile)
    .map((each) => ({ value: each.id, label: verbatim(nameOfConfiguration(each)) }))
  return [
    { name: 'configurationId', kind: 'choice', label: t.configuration, hint: t.configurationHint, choices },
    { name: 'vct', label: t.vct, placeholder: 'urn:example:student-card' },
    {
      name: 'claimMappings',
      kind: 'json',
      rows: 4,
      label: t.tree,
      placeholder: '{"name": {"mapFrom": "claims.name"}}',
    },
    { name: 'claims', kind: 'json', rows: 6, required: true, label: t.claims, hint: t.claimsHint },
    revocable,
  ]
}

/** Boundary: the fields build the body of the operation, and the service validates it. */
async function sign(profile: Profile, body: object): Promise<Answered<Signed>> {
  if (profile === 'web-semantic') {
    const { data, problem } = await callApi(
      api.POST('/v2/credentials/web-semantic/sign', { body: body as Schemas['SignWebSemanticRequest'] }),
    )
    const { id, credential } = data ?? {}
    return problem ? { problem } : { data: { id: id ?? '', text: JSON.stringify(credential), content: credential } }
  }
  // Boundary: the three operations have the same shape.
  const address = `/v2/credentials/${profile}/sign` as '/v2/credentials/compact/sign'
  const { data, problem } = await callApi(api.POST(address, { body: body as Schemas['SignCompactRequest'] }))
  return problem ? { problem } : { data: { id: data.id, text: data.encoded, content: data.decoded } }
}

/** Longer texts make codes that cameras cannot read. */
const maxCodeLength = 1_500

function Result({ of: { id, text, content } }: { of: Signed }) {
  return (
    <section role="status" class="signed">
      <h2>{say(t.signed)}</h2>
      <p>
        <Id value={id} />
      </p>
      {text.length <= maxCodeLength && <Qr text={text} label={say(t.code)} />}
      <p>
        <CopyButton text={text} />
      </p>
      <Verbatim text={text} />
      <h3>{say(t.content)}</h3>
      <Json value={content} />
    </section>
  )
}
