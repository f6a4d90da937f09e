import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Facts, Json } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { Named, NameOrId } from '../../kit/named.tsx'
import { Screen } from '../../kit/screen.tsx'
import { mayOpen } from '../../kit/screen-needs.ts'
import { Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { When } from '../../kit/when.tsx'
import { CredentialActions } from './actions.tsx'
import { StateBadge } from './columns.tsx'
import { List } from './list.tsx'
import { revocationTexts } from './revocation-texts.ts'
import { signingTexts } from './signing-texts.ts'
import { credentialTexts } from './texts.ts'
import './credentials.css'

type Issued = Schemas['IssuedCredential'] & { lastChange?: Schemas['LastStatusChange'] }

/** The issued credentials, or one credential by id. */
export default function Credentials() {
  const [{ id }] = useQuery()
  return (
    <Screen
      title={say(id ? credentialTexts.credential : credentialTexts.credentials)}
      {...(id && { objectId: id, up: { href: to('/credentials'), title: say(credentialTexts.credentials) } })}
      {...(!id && { actions: <OtherScreens /> })}
    >
      {id ? <One key={id} id={id} /> : <List />}
    </Screen>
  )
}

function OtherScreens() {
  return (
    <>
      <LinkButton path="/credentials/sign">{say(signingTexts.title)}</LinkButton>
      <LinkButton path="/credentials/revocations">{say(revocationTexts.title)}</LinkButton>
    </>
  )
}

function One({ id }: { id: string }) {
  const read = () => callApi(api.GET('/v2/credentials/issued/{id}', { params: { path: { id } } }))
  const credential = useRead(read, [id])
  return <Shown of={credential}>{(data) => <About of={data} onChange={() => void credential.reload()} />}</Shown>
}

function About({ of, onChange }: { of: Issued; onChange: () => void }) {
  const { id, type, profile, userId, offerId, sessionId, credentialConfigurationId: by } = of
  return (
    <section>
      <Facts
        of={[
          [credentialTexts.credential, <Id key="id" value={id} />],
          [commonTexts.state, <StateBadge key="state" of={of} />],
          [credentialTexts.lastChange, of.lastChange && <LastChange key="change" of={of.lastChange} />],
          [credentialTexts.type, type],
          [credentialTexts.profile, profile],
          [
            credentialTexts.configuration,
            <Named key="by" kind="configuration" id={by} href={to(`/configurations/${profile}/${by}`)} />,
          ],
          [credentialTexts.user, <Named key="user" kind="user" id={userId} href={to(`/users/${userId}`)} />],
          [credentialTexts.offer, offerId && <Id key="offer" value={offerId} href={to(`/offers/${offerId}`)} />],
          [credentialTexts.session, <Id key="session" value={sessionId} />],
          [credentialTexts.signer, of.signerId && <Signer key="signer" id={of.signerId} profile={profile} />],
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

/** When the status changed last and who changed it, with a link to the events of that client or person. */
function LastChange({ of: { at, name, clientId, managementUserId } }: { of: Schemas['LastStatusChange'] }) {
  const who = managementUserId ?? clientId
  const href = to('/events', managementUserId ? { person: managementUserId } : { clientId })
  return (
    <>
      <When at={at} /> {who && <NameOrId name={name} id={who} href={mayOpen('/events') ? href : undefined} />}
    </>
  )
}

/** The certificate that signed a credential, by its name. A key has no name and no screen. */
function Signer({ id, profile }: { id: string; profile: Issued['profile'] }) {
  if (profile !== 'mobile' && profile !== 'sd-jwt') return <Id value={id} />
  const kind = profile === 'mobile' ? 'document-signer' : 'sd-jwt-signer'
  return <Named kind={kind} id={id} href={to(`/certificates/${kind}/${id}`)} />
}
