import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../../kit/api.ts'
import { Section } from '../../../kit/elements.tsx'
import { Form } from '../../../kit/form.tsx'
import type { Field } from '../../../kit/form-values.ts'
import { say, verbatim } from '../../../kit/language.ts'
import { Shown } from '../../../kit/states.tsx'
import { useRead } from '../../../kit/use-read.ts'
import { Ago } from '../../../kit/when.tsx'
import { type CredentialType, loadTypes, type Participant, profiles } from '../calls.ts'
import { ecosystemTexts } from '../texts.ts'
import { participantTexts } from './texts.ts'

/** Tests whether an identifier is trusted. For a participant, the form is prefilled. */
export function TryTrust({ ecosystemId, of }: { ecosystemId: string; of?: Participant }) {
  const types = useRead(() => loadTypes(ecosystemId), [ecosystemId])
  const [verdict, setVerdict] = useState<Schemas['Validation']>()
  return (
    <Section title={say(ecosystemTexts.validation)}>
      <p class="soft">{say(participantTexts.tryWhat)}</p>
      <Shown of={types}>
        {(types) => (
          <Form
            calls="validateIssuer"
            fields={fieldsOf(types)}
            start={startOf(of)}
            action={say(participantTexts.ask)}
            submit={async (question) => {
              setVerdict(undefined)
              return checkTrust(types, question)
            }}
            onDone={setVerdict}
          />
        )}
      </Shown>
      {verdict && <Verdict of={verdict} />}
    </Section>
  )
}

function Verdict({ of: { validated, policyVersion } }: { of: Schemas['Validation'] }) {
  return (
    <div class={validated ? 'note' : 'problem'} role="status">
      <p>
        <strong>{say(validated ? participantTexts.trusted : participantTexts.notTrusted)}</strong>
      </p>
      {validated ? (
        <p>
          {say(participantTexts.trustedSince, { at: '' }).replace(/ ?\.$/, ' ')}
          <Ago at={policyVersion} />.
        </p>
      ) : (
        <p>{say(participantTexts.notTrustedWhy)}</p>
      )}
    </div>
  )
}

/** Returns the fields. A type implies its profile. Only types of the ecosystem can be trusted. */
function fieldsOf(types: readonly CredentialType[]): readonly Field[] {
  const choices = types.map(({ id, name, type, profile }) => {
    return { value: id, label: verbatim(`${name}: ${type}, ${say(profiles[profile])}`) }
  })
  return [
    {
      ...{ name: 'role', label: participantTexts.askRole, kind: 'choice', required: true },
      choices: [
        { value: 'issuer', label: participantTexts.issue },
        { value: 'verifier', label: participantTexts.verify },
      ],
    },
    { name: 'type', label: ecosystemTexts.type, kind: 'choice', choices, required: true },
    {
      ...{ name: 'identifier', label: participantTexts.identifier, hint: participantTexts.identifierHint },
      ...{ kind: 'pem', required: true },
    },
  ]
}

function startOf(of: Participant | undefined): object {
  if (!of) return {}
  const { mobile, ...dids } = of.identifiers
  const identifier = mobile?.[0]?.certificatePem ?? Object.values(dids)[0]
  return { role: of.isIssuer || !of.isVerifier ? 'issuer' : 'verifier', identifier }
}

function checkTrust(types: readonly CredentialType[], question: Record<string, unknown>) {
  const { profile = 'mobile', type = '' } = types.find(({ id }) => id === question.type) ?? {}
  const body = { profile, type, identifier: String(question.identifier).trim() }
  return question.role === 'verifier'
    ? callApi(api.POST('/v1/ecosystems/verifier-validation', { body }))
    : callApi(api.POST('/v1/ecosystems/issuer-validation', { body }))
}
