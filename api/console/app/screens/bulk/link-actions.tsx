import { api, callApi, type Schemas } from '../../kit/api.ts'
import { CopyButton } from '../../kit/copy.tsx'
import { ConfirmButton, Dialog } from '../../kit/dialog.tsx'
import { Facts } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { RowMenu } from '../../kit/row-menu.tsx'
import { rowTexts } from './row-texts.ts'

export type Renewed = Schemas['RenewedClaimLink']

/** Callbacks after an action on a link. */
export interface LinkChanges {
  /** The caller shows the new link until it is closed. The row can disappear before. */
  onMade: (made: Renewed) => void
  onRevoked: () => void
}

/** A new link for a row, and the revocation of its link. A link with which a credential was collected stays. */
export function LinkActions(props: { id: string; row: Schemas['BulkRow'] } & LinkChanges) {
  const { id, row: of, onMade, onRevoked } = props
  const { row, state } = of
  const params = { path: { id, row: String(row) } }
  if (state === 'collected') return <>–</>
  return (
    <RowMenu>
      <ConfirmButton
        calls="renewBulkLink"
        label={say(rowTexts.newLink)}
        title={say(rowTexts.newLinkTitle, { row })}
        act={() => callApi(api.POST('/v1/bulk-issuances/{id}/rows/{row}/link', { params, body: {} }))}
        onDone={onMade}
      >
        <p>{say(rowTexts.newLinkWhat)}</p>
      </ConfirmButton>
      {state !== 'revoked' && state !== 'expired' && (
        <ConfirmButton
          calls="revokeBulkLink"
          label={say(rowTexts.revoke)}
          title={say(rowTexts.revokeTitle, { row })}
          isDanger
          act={() => callApi(api.DELETE('/v1/bulk-issuances/{id}/rows/{row}/link', { params }))}
          onDone={onRevoked}
        >
          <p>{say(rowTexts.revokeWhat)}</p>
        </ConfirmButton>
      )}
    </RowMenu>
  )
}

/** Shows a new link, and its code, which the service returns only once. */
export function MadeLink(props: { of: Pick<Renewed, 'link' | 'transactionCode'>; title: string; onClose: () => void }) {
  const { title, onClose } = props
  const { link, transactionCode } = props.of
  const code = transactionCode !== undefined && (
    <>
      <code>{transactionCode}</code> <CopyButton text={transactionCode} label={say(rowTexts.code)} />
    </>
  )
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{say(rowTexts.madeLinkWhat)}</p>
      <Facts
        of={[
          [
            rowTexts.address,
            <span key="link">
              <code>{link}</code> <CopyButton text={link} label={say(rowTexts.address)} />
            </span>,
          ],
          [rowTexts.code, code],
        ]}
      />
    </Dialog>
  )
}
