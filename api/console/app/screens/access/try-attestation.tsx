import { api, callApi, type Schemas } from '../../kit/api.ts'
import { FormButton } from '../../kit/form-button.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { accessTexts, attestationTexts } from './texts.ts'
import { Checks } from './tried.tsx'

const fields: readonly Field[] = [
  {
    name: 'clientAttestation',
    label: attestationTexts.attestation,
    hint: attestationTexts.attestationHint,
    kind: 'long',
    required: true,
    rows: 6,
  },
  { name: 'clientId', label: accessTexts.clientId, hint: attestationTexts.clientIdHint },
]

/** Checks an attestation like the token endpoint does. `clientId` is the client id of the wallet, if known. */
export function TryAttestation({ clientId, name }: { clientId?: string; name?: string }) {
  return (
    <FormButton
      calls="testClientAttestation"
      label={say(accessTexts.tryIt)}
      title={[say(accessTexts.tryIt), name].filter(Boolean).join(': ')}
      fields={fields}
      start={{ clientId }}
      submit={(body: Schemas['ClientAttestationRequest']) =>
        callApi(api.POST('/v1/openid/client-attestations/test', { body }))
      }
      result={(result) => <Checks {...result} names={attestationTexts} />}
    />
  )
}
