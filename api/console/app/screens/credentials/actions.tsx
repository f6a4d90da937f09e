import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { say, type Text } from '../../kit/language.ts'
import { RowMenu } from '../../kit/row-menu.tsx'
import { UndoButton } from '../../kit/undo.tsx'
import { credentialTexts } from './texts.ts'

export type Status = Schemas['CredentialStatus']

interface Credential {
  id: string
  profile: Schemas['CredentialProfile']
  status: Status
}

/** The actions for a credential in its state, in a row of a list as a menu. A credential with a token status list can be suspended, and its revocation is final. */
export function CredentialActions(props: { of: Credential; isInRow?: boolean; onDone: () => void }) {
  const { of, isInRow, onDone } = props
  const isFinal = isCertified(of)
  const { status } = of
  const canBeRestored = status === 'suspended' || (!isFinal && status === 'invalid')
  const actions = [
    status !== 'invalid' && <Revoke key="revoke" of={of} onDone={onDone} />,
    isFinal && status === 'valid' && (
      <SetStatus key="suspend" label={credentialTexts.suspend} of={of} to="suspended" onDone={onDone} />
    ),
    canBeRestored && <SetStatus key="restore" label={credentialTexts.restore} of={of} to="valid" onDone={onDone} />,
    <Remove key="remove" of={of} onDone={onDone} />,
  ]
  return isInRow ? <RowMenu>{actions}</RowMenu> : <div class="actions">{actions}</div>
}

/** A change of the status that the API can reverse. */
function SetStatus(props: { label: Text; of: Credential; to: Status; isDanger?: boolean; onDone: () => void }) {
  const { label, of, to, isDanger = false, onDone } = props
  return (
    <UndoButton
      calls="setCompactRevocationStatus"
      label={say(label)}
      isDanger={isDanger}
      act={() => setStatus(of, to)}
      undo={() => setStatus(of, of.status)}
      onDone={onDone}
    />
  )
}

/** Asks only if the revocation is final. */
function Revoke({ of, onDone }: { of: Credential; onDone: () => void }) {
  if (!isCertified(of))
    return <SetStatus label={credentialTexts.revoke} of={of} to="invalid" isDanger onDone={onDone} />
  return (
    <ConfirmButton
      calls="setMobileStatus"
      label={say(credentialTexts.revoke)}
      title={say(credentialTexts.revokeTitle)}
      word={say(credentialTexts.revokeWord)}
      act={() => setStatus(of, 'invalid')}
      onDone={onDone}
    >
      <p>{say(credentialTexts.revokeForGood)}</p>
    </ConfirmButton>
  )
}

function Remove({ of: { id, profile }, onDone }: { of: Credential; onDone: () => void }) {
  // Boundary: the operations have the same shape.
  const address = `/v2/credentials/${profile}/{id}` as '/v2/credentials/compact/{id}'
  return (
    <ConfirmButton
      calls="deleteCompactCredential"
      label={say(credentialTexts.remove)}
      title={say(credentialTexts.removeTitle)}
      word={say(credentialTexts.removeWord)}
      act={() => callApi(api.DELETE(address, { params: { path: { id } } }))}
      onDone={onDone}
    >
      <p>{say(credentialTexts.removeAdvice)}</p>
    </ConfirmButton>
  )
}

function setStatus({ id, profile }: Credential, status: Status) {
  if (profile === 'mobile' || profile === 'sd-jwt') {
    // Boundary: both operations have the same shape.
    const address = `/v2/credentials/${profile}/{credentialId}/status` as '/v2/credentials/mobile/{credentialId}/status'
    return callApi<unknown>(api.POST(address, { params: { path: { credentialId: id } }, body: { status } }))
  }
  // Boundary: the three operations have the same shape.
  const address =
    `/v2/credentials/${profile}/{id}/revocation-status` as '/v2/credentials/compact/{id}/revocation-status'
  return callApi<unknown>(api.POST(address, { params: { path: { id } }, body: { isRevoked: status === 'invalid' } }))
}

/** Whether a revocation is final. */
export function isCertified({ profile }: Pick<Credential, 'profile'>): boolean {
  return profile === 'mobile' || profile === 'sd-jwt'
}
