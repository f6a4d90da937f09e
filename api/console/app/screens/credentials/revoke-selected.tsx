import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmForm, Dialog } from '../../kit/dialog.tsx'
import { Facts } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { numberText } from '../../kit/when.tsx'
import { isCertified } from './actions.tsx'
import { listTexts } from './list-texts.ts'
import { ChangeProgress } from './revocation-progress.tsx'
import { credentialTexts } from './texts.ts'

type Issued = Schemas['IssuedCredential']

/** A button that counts the selected credentials, asks, and revokes those that can be revoked. */
export function RevokeSelected({ rows, onDone }: { rows: readonly Issued[]; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const [changeId, setChangeId] = useState<string>()
  const close = () => {
    setOpen(false)
    if (changeId !== undefined) onDone()
    setChangeId(undefined)
  }
  /** The dialog opens again if it was closed while the request was sent. */
  const show = (id: string) => {
    setChangeId(id)
    setOpen(true)
  }
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {say(listTexts.revoke, { count: numberText(rows.length) })}
      </button>
      {isOpen && (
        <Dialog title={say(changeId === undefined ? listTexts.revokeTitle : listTexts.resultTitle)} onClose={close}>
          {changeId === undefined ? (
            <Question rows={rows} onStarted={show} onCancel={close} />
          ) : (
            <Result id={changeId} onClose={close} />
          )}
        </Dialog>
      )}
    </>
  )
}

/** Counts first. Final revocations need a typed word. */
function Question(props: { rows: readonly Issued[]; onStarted: (changeId: string) => void; onCancel: () => void }) {
  const { rows, onStarted, onCancel } = props
  const { route } = useLocation()
  const revoked = rows.filter(({ status }) => status === 'invalid')
  const fixed = rows.filter(({ status, isRevocable }) => status !== 'invalid' && !isRevocable)
  const affected = rows.filter(({ status, isRevocable }) => status !== 'invalid' && isRevocable)
  const final = affected.filter(isCertified)
  const word = final.length > 0 ? say(credentialTexts.revokeWord) : undefined
  const credentials = affected.map(({ id }) => id)
  const some = (of: readonly Issued[]) => of.length > 0 && numberText(of.length)
  return (
    <ConfirmForm
      label={say(listTexts.revoke, { count: numberText(affected.length) })}
      word={word}
      isDanger
      isDisabled={affected.length === 0}
      act={() => callApi(api.POST('/v2/credentials/revocation-status', { body: { credentials, isRevoked: true } }))}
      onDone={({ id, approval }) => (approval ? route(to('/settings', { tab: 'approvals' })) : onStarted(id))}
      onCancel={onCancel}
    >
      <Facts
        of={[
          [listTexts.selectedCount, numberText(rows.length)],
          [listTexts.affected, numberText(affected.length)],
          [listTexts.alreadyRevoked, some(revoked)],
          [listTexts.notRevocable, some(fixed)],
          [listTexts.final, some(final)],
        ]}
      />
      {affected.length === 0 && <p>{say(listTexts.noneRevocable)}</p>}
    </ConfirmForm>
  )
}

function Result({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <>
      <ChangeProgress id={id} everyMs={1_000}>
        <a href={to(`/credentials/revocations/${id}`)}>{say(listTexts.progressPage)}</a>
      </ChangeProgress>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {say(commonTexts.close)}
        </button>
      </div>
    </>
  )
}
