import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { type Configuration, nameOfConfiguration, useConfigurations } from '../../kit/configurations.ts'
import { Id } from '../../kit/copy.tsx'
import { Facts, Json } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Named } from '../../kit/named.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { When } from '../../kit/when.tsx'
import { CredentialActions } from './actions.tsx'
import { credentialColumns, StatusBadge } from './columns.tsx'
import { revocationTexts } from './revocation-texts.ts'
import { signingTexts } from './signing-texts.ts'
import { credentialTexts } from './texts.ts'
import './credentials.css'

type Issued = Schemas['IssuedCredential']

/** The credentials of a configuration, or one credential by id. */
export default function Credentials() {
  const [{ id }] = useQuery()
  const configurations = useConfigurations()
  return (
    <Screen
      title={say(id ? credentialTexts.credential : credentialTexts.credentials)}
      {...(id && { objectId: id, up: { href: to('/credentials'), title: say(credentialTexts.credentials) } })}
      {...(!id && { actions: <OtherScreens /> })}
    >
      {id ? (
        <One key={id} id={id} />
      ) : (
        <Shown of={configurations}>{(all) => (all.length > 0 ? <OfConfiguration all={all} /> : <Nothing />)}</Shown>
      )}
    </Screen>
  )
}

function OtherScreens() {
  return (
    <>
      <a class="button" href={to('/credentials/sign')}>
        {say(signingTexts.title)}
      </a>
      <a class="button" href={to('/credentials/revocations')}>
        {say(revocationTexts.title)}
      </a>
    </>
  )
}

function Nothing() {
  const begin = (
    <a class="button primary" href={to('/configurations/new')}>
      {say(credentialTexts.newConfiguration)}
    </a>
  )
  return <Empty action={begin}>{say(credentialTexts.noConfiguration)}</Empty>
}

function OfConfiguration({ all }: { all: readonly Configuration[] }) {
  const [{ configuration, cursor }, change] = useQuery()
  const configurationId = configuration ?? all[0]?.id ?? ''
  const query = { configurationId, limit: 50, ...(cursor && { cursor }) }
  const issued = useRead(() => callApi(api.GET('/v2/credentials/issued', { params: { query } })), [query])
  const offer = (
    <a class="button primary" href={to('/offers/new', { credentials: configurationId })}>
      {say(credentialTexts.newOffer)}
    </a>
  )
  const whose = {
    head: credentialTexts.user,
    cell: ({ userId }: Issued) => <Named kind="user" id={userId} href={to(`/users/${userId}`)} />,
  }
  return (
    <>
      <div class="filters">
        <label>
          {say(credentialTexts.configuration)}
          <select value={configurationId} onChange={(event) => change({ configuration: event.currentTarget.value })}>
            {all.map((each) => (
              <option key={each.id} value={each.id}>
                {nameOfConfiguration(each)}
              </option>
            ))}
          </select>
        </label>
        <Find />
      </div>
      <PagedTable
        of={issued}
        caption={credentialTexts.credentials}
        columns={credentialColumns<Issued>(() => void issued.reload(), whose)}
        keyOf={(each) => each.id}
        empty={<Empty action={offer}>{say(credentialTexts.none)}</Empty>}
      />
    </>
  )
}

function Find() {
  const [, change] = useQuery()
  const [id, setId] = useState('')
  const find = (event: Event) => {
    event.preventDefault()
    if (id.trim()) change({ id: id.trim() })
  }
  return (
    <form class="filters" onSubmit={find}>
      <label>
        {say(credentialTexts.find)}
        <input value={id} autoComplete="off" onInput={(event) => setId(event.currentTarget.value)} />
      </label>
      <button type="submit">{say(commonTexts.show)}</button>
    </form>
  )
}

function One({ id }: { id: string }) {
  const read = () => callApi(api.GET('/v2/credentials/issued/{id}', { params: { path: { id } } }))
  const credential = useRead(read, [id])
  return <Shown of={credential}>{(data) => <About of={data} onChange={() => void credential.reload()} />}</Shown>
}

function About({ of, onChange }: { of: Issued; onChange: () => void }) {
  const { id, type, profile, status, userId, offerId, sessionId, credentialConfigurationId: by } = of
  return (
    <section>
      <Facts
        of={[
          [credentialTexts.credential, <Id key="id" value={id} />],
          [commonTexts.state, <StatusBadge key="status" status={status} />],
          [credentialTexts.type, type],
          [credentialTexts.profile, profile],
          [
            credentialTexts.configuration,
            <Named key="by" kind="configuration" id={by} href={to(`/configurations/${profile}/${by}`)} />,
          ],
          [credentialTexts.user, <Named key="user" kind="user" id={userId} href={to(`/users/${userId}`)} />],
          [credentialTexts.offer, offerId && <Id key="offer" value={offerId} href={to(`/offers/${offerId}`)} />],
          [credentialTexts.session, <Id key="session" value={sessionId} />],
          [credentialTexts.issued, <When key="issued" at={of.issuedDate} />],
          [credentialTexts.validFrom, <When key="from" at={of.validFrom} />],
          [credentialTexts.validUntil, of.validUntil && <When key="until" at={of.validUntil} />],
          [credentialTexts.msoHash, of.msoHash && <code key="mso">{of.msoHash}</code>],
          [
            credentialTexts.key,
            of.devicePublicKey ? <Json key="key" value={of.devicePublicKey} /> : say(credentialTexts.noKey),
          ],
        ]}
      />
      <CredentialActions of={of} onDone={onChange} />
    </section>
  )
}
