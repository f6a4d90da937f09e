import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../kit/api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Form } from '../../kit/form.tsx'
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

/** Checks an attestation as the token endpoint does; `clientId` is what the wallet calls itself, where that is known. */
export function TryAttestation({ clientId, name }: { clientId?: string; name?: string }) {
  const [isOpen, setOpen] = useState(false)
  const [result, setResult] = useState<Schemas['ClientAttestation']>()
  const open = () => {
    setResult(undefined)
    setOpen(true)
  }
  return (
    <>
      <button type="button" onClick={open}>
        {say(accessTexts.tryIt)}
      </button>
      {isOpen && (
        <Dialog title={[say(accessTexts.tryIt), name].filter(Boolean).join(': ')} onClose={() => setOpen(false)}>
          <Form
            fields={fields}
            start={{ clientId }}
            action={say(accessTexts.tryIt)}
            submit={(body: Schemas['ClientAttestationRequest']) =>
              ask(api.POST('/v1/openid/client-attestations/test', { body }))
            }
            onDone={setResult}
            onCancel={() => setOpen(false)}
          />
          {result && <Checks {...result} names={attestationTexts} />}
        </Dialog>
      )}
    </>
  )
}
