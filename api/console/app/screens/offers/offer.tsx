import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { CopyButton, Id } from '../../kit/copy.tsx'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Facts, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Named } from '../../kit/named.tsx'
import { Qr } from '../../kit/qr.tsx'
import { Screen } from '../../kit/screen.tsx'
import { mayOpen } from '../../kit/screen-needs.ts'
import { session } from '../../kit/session.ts'
import { Loading, ProblemMessage, Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { When } from '../../kit/when.tsx'
import { walletTexts } from '../wallet/texts.ts'
import { ConfigurationNames } from './configuration-names.tsx'
import { type MadeOffer, takeMade } from './made-offer.ts'
import { OfferBadge } from './offer-badge.tsx'
import { OfferTimeLeft } from './offer-time-left.tsx'
import { isOver } from './states.ts'
import { offerTexts } from './texts.ts'
import { Timeline } from './timeline.tsx'
import { TransactionCode } from './transaction-code.tsx'
import './offers.css'

type Details = Schemas['RetrieveOfferResponse']
type Timelined = Schemas['OfferTimeline']

const oftenMs = 3_000

/** One offer: its QR code, state and timeline. */
export default function Offer() {
  const { id = '' } = useRoute().params
  const [{ request }] = useQuery()
  const made = useMemo(() => takeMade(id), [id])
  const [isWaiting, setWaiting] = useState(true)
  const live = { everyMs: isWaiting ? oftenMs : undefined }
  const path = { path: { id } }
  const offer = useRead(() => callApi(api.GET('/v1/openid/offers/{id}/details', { params: path })), [id], live)
  const timeline = useRead(() => callApi(api.GET('/v1/openid/offers/{id}/timeline', { params: path })), [id], live)
  const steps = timeline.data?.data ?? []
  const isEnded = (offer.data !== undefined && isOver(offer.data)) || offer.problem?.kind === 'missing'
  useEffect(() => setWaiting(!isEnded || wasJustNow(steps)), [isEnded, timeline.data])
  const isDeleted = offer.problem?.kind === 'missing'
  const up = { href: to('/offers'), title: say(offerTexts.offers) }
  return (
    <Screen
      title={say(offerTexts.offer)}
      label={offer.data?.label ? { text: offer.data.label, id } : undefined}
      up={up}
      objectId={id}
      actions={offer.data && !isDeleted && <Delete id={id} />}
    >
      {isDeleted ? (
        <p class="note">{say(offerTexts.wasDeleted)}</p>
      ) : (
        <>
          <Warnings of={made?.warnings ?? []} />
          <Shown of={offer}>{(data) => <About offer={data} madeCode={made?.transactionCode} />}</Shown>
        </>
      )}
      <Section title={say(offerTexts.timeline)}>
        {timeline.problem && !isDeleted && <ProblemMessage problem={timeline.problem} />}
        {timeline.data ? <Timeline steps={steps} chosen={request} /> : !timeline.problem && <Loading />}
      </Section>
    </Screen>
  )
}

/** Webhooks and wallet notifications follow shortly after the issuance. */
function wasJustNow(steps: Timelined['data']): boolean {
  const last = steps.at(-1)
  return last !== undefined && Date.now() - Date.parse(last.at) < 60_000
}

function Delete({ id }: { id: string }) {
  const { route } = useLocation()
  return (
    <ConfirmButton
      calls="deleteOffer"
      label={say(offerTexts.withdraw)}
      title={say(offerTexts.withdrawTitle)}
      isDanger
      act={() => callApi(api.DELETE('/v1/openid/offers/{id}', { params: { path: { id } } }))}
      onDone={() => route(to('/offers'))}
    >
      <p>{say(offerTexts.withdrawAdvice)}</p>
    </ConfirmButton>
  )
}

function Warnings({ of: warnings }: { of: NonNullable<MadeOffer['warnings']> }) {
  if (warnings.length === 0) return null
  return (
    <div class="note" role="status">
      <p>{say(offerTexts.warnings)}</p>
      <ul>
        {warnings.map(({ claim, message }) => (
          <li key={`${claim} ${message}`}>
            {claim !== undefined && <code>{claim}</code>} {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

function About({ offer, madeCode }: { offer: Details; madeCode: string | undefined }) {
  const [isHidden, setHidden] = useState(false)
  const { id, label, kind, state, userId, view, createdAt, expiresAt, credentials, transactionCode } = offer
  const { uri, qr, page } = offer
  const code = transactionCode && (transactionCode.description ?? say(commonTexts.yes))
  const shownCode = madeCode !== undefined && !isOver(offer) && (
    <TransactionCode code={madeCode} isHidden={isHidden} onToggle={() => setHidden(!isHidden)} />
  )
  return (
    <div class={qr ? 'sides offer' : ''}>
      {qr && uri && page && (
        <ToScan qr={qr} uri={uri} page={page}>
          {shownCode}
        </ToScan>
      )}
      <section class="card">
        <p class="state">
          <OfferBadge of={offer} />
          {state === 'usable' && expiresAt !== undefined && <OfferTimeLeft until={expiresAt} />}
        </p>
        {!(qr && uri) && shownCode}
        <Facts
          of={[
            [offerTexts.offer, label === undefined && <Id key="id" value={id} />],
            [offerTexts.kind, say(kind === 'pre-authorized' ? offerTexts.preAuthorized : offerTexts.shared)],
            [offerTexts.credentials, <ConfigurationNames key="names" ids={credentials} />],
            [offerTexts.view, view && <Named key="view" kind="view" id={view} />],
            [offerTexts.user, userId && <Named key="user" kind="user" id={userId} href={to(`/users/${userId}`)} />],
            [offerTexts.withCode, code],
            [commonTexts.created, <When key="created" at={createdAt} />],
            [offerTexts.ends, expiresAt !== undefined && <When key="ends" at={expiresAt} />],
          ]}
        />
      </section>
    </div>
  )
}

function ToScan(props: { qr: string; uri: string; page: string; children: ComponentChildren }) {
  const { qr, uri, page, children } = props
  return (
    <section class="card scan">
      <Qr text={qr} label={say(offerTexts.qrLabel)} />
      {children}
      <p class="soft">{say(offerTexts.scan)}</p>
      <div class="actions">
        <a class="button" href={page} target="_blank" rel="noreferrer">
          {say(offerTexts.page)} ↗
        </a>
        <CopyButton text={page} label={say(offerTexts.page)} />
      </div>
      <div class="actions">
        <a class="button" href={uri}>
          {say(offerTexts.openWallet)}
        </a>
      </div>
      {session.value?.hasTestWallet && mayOpen('/wallet') && (
        <div class="actions">
          <a class="button" href={`${to('/wallet')}#${new URLSearchParams({ offer: uri })}`}>
            {say(walletTexts.testWallet)}
          </a>
        </div>
      )}
      <OtherForms of={[...new Set([uri, qr])]} />
    </section>
  )
}

/** The long links that wallets open, as text: for a message, or for a wallet into which a link is pasted. */
function OtherForms({ of }: { of: readonly string[] }) {
  return (
    <details class="other-forms">
      <summary>{say(offerTexts.otherForms)}</summary>
      {of.map((link) => {
        const title = say(link.includes('credential_offer_uri=') ? offerTexts.referring : offerTexts.whole)
        return (
          <div key={link}>
            {title} <CopyButton text={link} label={title} />
            <code>{link}</code>
          </div>
        )
      })}
    </details>
  )
}
