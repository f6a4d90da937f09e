import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { ConfirmButton, ShownOnce } from '../../kit/dialog.tsx'
import { DownloadButton } from '../../kit/download.tsx'
import { Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { mayOpen } from '../../kit/screen-needs.ts'
import { can } from '../../kit/session.ts'
import { to } from '../../kit/url-state.ts'
import { type ErasureHeaders, erase } from './erase.ts'
import { erasureTexts } from './erasure-texts.ts'
import { userTexts } from './texts.ts'

/** Shows the downloads of the user's data, what an erasure deletes and keeps, and the button that erases. */
export function ErasureTab({ id }: { id: string }) {
  return (
    <>
      {can('exportUser') && (
        <Section title={say(userTexts.exportData)}>
          <p>{say(userTexts.exportAdvice)}</p>
          <div class="actions">
            <Export id={id} />
          </div>
        </Section>
      )}
      {can('deleteUser') && (
        <Section title={say(userTexts.erasure)}>
          <p>{say(userTexts.eraseAdvice)}</p>
          <p>{say(userTexts.eraseKeeps)}</p>
          <div class="actions">
            <Erase id={id} />
            {mayOpen('/users/erasures') && <a href={to('/users/erasures')}>{say(erasureTexts.erasures)}</a>}
          </div>
        </Section>
      )}
    </>
  )
}

function Export({ id }: { id: string }) {
  const path = `/v1/users/${id}/export`
  return (
    <>
      <DownloadButton
        calls="exportUser"
        label={say(userTexts.exportPage)}
        path={path}
        name={`person-${id}.html`}
        accept="text/html"
      />
      <DownloadButton
        calls="exportUser"
        label={say(userTexts.exportJson)}
        path={path}
        name={`person-${id}.json`}
        accept="application/json"
      />
    </>
  )
}

function Erase({ id }: { id: string }) {
  const { route } = useLocation()
  const [receipt, setReceipt] = useState<ErasureHeaders>()
  return (
    <>
      <ConfirmButton
        calls="deleteUser"
        label={say(userTexts.erase)}
        title={say(userTexts.eraseTitle)}
        word={say(userTexts.eraseWord)}
        act={() => erase(id)}
        onDone={setReceipt}
      >
        <p>{say(userTexts.eraseAdvice)}</p>
      </ConfirmButton>
      {receipt && (
        <ShownOnce
          title={say(erasureTexts.done)}
          secret={receipt.salt}
          advice={say(erasureTexts.saltAdvice, { id: receipt.id })}
          onClose={() => route(to('/users'))}
        />
      )}
    </>
  )
}
