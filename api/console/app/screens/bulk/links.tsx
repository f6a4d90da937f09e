import { useLocation } from 'preact-iso'
import { api, callApi } from '../../kit/api.ts'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Facts, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { to } from '../../kit/url-state.ts'
import { numberText } from '../../kit/when.tsx'
import { rowTexts } from './row-texts.ts'
import { type Bulk, linkStates } from './states.ts'

interface LinksOf {
  bulk: Bulk
  counts: NonNullable<Bulk['links']>
  onChange: () => void
}

/** The links by state. Each state leads to its rows. A button renews all expired links. */
export function Links({ bulk, counts, onChange }: LinksOf) {
  const { path } = useLocation()
  const at = path.replace(/^\/console/, '')
  const isRunning = bulk.linkRenewal?.state === 'running'
  return (
    <Section title={say(rowTexts.links)}>
      <Facts
        of={linkStates.map((state) => [
          rowTexts[state],
          <a key={state} href={to(at, { state })}>
            {numberText(counts[state])}
          </a>,
        ])}
      />
      {counts.expired > 0 && !isRunning && <RenewExpired id={bulk.id} onDone={onChange} />}
      <Renewal bulk={bulk} />
    </Section>
  )
}

function RenewExpired({ id, onDone }: { id: string; onDone: () => void }) {
  const params = { path: { id } }
  return (
    <div class="actions">
      <ConfirmButton
        calls="renewExpiredBulkLinks"
        label={say(rowTexts.renewExpired)}
        title={say(rowTexts.renewExpiredTitle)}
        act={() => callApi(api.POST('/v1/bulk-issuances/{id}/renew-expired-links', { params, body: {} }))}
        onDone={onDone}
      >
        <p>{say(rowTexts.renewExpiredWhat)}</p>
      </ConfirmButton>
    </div>
  )
}

const renewalTexts = { running: rowTexts.renewing, done: rowTexts.renewed, failed: rowTexts.notRenewed }

/** The progress and the outcome of the last renewal. */
function Renewal({ bulk: { linkRenewal, total } }: { bulk: Bulk }) {
  if (!linkRenewal) return null
  const { state, renewed, checkedRows } = linkRenewal
  const counted = { renewed: numberText(renewed), checked: numberText(checkedRows), total: numberText(total) }
  return (
    <p class="note" role="status">
      {say(renewalTexts[state], counted)}
    </p>
  )
}
