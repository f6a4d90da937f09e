import { useRoute } from 'preact-iso'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { type Tab, Tabs } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { Screen } from '../../kit/screen.tsx'
import { can } from '../../kit/session.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { PagedTable } from '../../kit/table.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { credentialColumns } from '../credentials/columns.tsx'
import { credentialTexts } from '../credentials/texts.ts'
import { eventTexts } from '../events/texts.ts'
import { offerTexts } from '../offers/texts.ts'
import { About } from './about.tsx'
import { Claims } from './claims.tsx'
import { type Counts, countsOf } from './counts.ts'
import { ErasureTab } from './erasure-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { OffersTab } from './offers-tab.tsx'
import { userTexts } from './texts.ts'

type Row = Schemas['UserCredential']

/** One user: label, claims on request, and tabs with what belongs to the user. An erased user has events only. */
export default function User() {
  const { id = '' } = useRoute().params
  const body = { ids: [id], withClaims: false }
  const reading = useRead(() => callApi(api.POST('/v1/users/search', { body })), [id])
  const user = reading.data?.data[0]
  const isThere = user !== undefined
  const offer = (
    <LinkButton path="/offers/new" query={{ user: id }}>
      {say(userTexts.offer)}
    </LinkButton>
  )
  return (
    <Screen
      title={say(userTexts.user)}
      label={user?.label ? { text: user.label, id } : undefined}
      up={{ href: to('/users'), title: say(userTexts.users) }}
      actions={isThere && offer}
    >
      <Shown of={reading}>
        {() => (
          <>
            {user ? <About key={id} user={user} onChange={() => void reading.reload()} /> : <Missing />}
            {isThere && can('retrieveUser', 'users:read') && <Claims key={id} id={id} />}
            <Parts key={id} id={id} isThere={isThere} />
          </>
        )}
      </Shown>
    </Screen>
  )
}

/** The tabs that the user has and the roles allow. */
function Parts({ id, isThere }: { id: string; isThere: boolean }) {
  const read = useRead(() => (isThere ? countsOf(id) : Promise.resolve<Answered<Counts>>({ data: {} })), [id, isThere])
  const counts = read.data ?? {}
  const tabs: (Tab & { isShown: boolean })[] = [
    {
      ...{ name: 'credentials', title: credentialTexts.credentials, count: counts.credentials },
      isShown: isThere && can('retrieveUserCredentials'),
      body: () => <CredentialsTab key={id} id={id} onChange={() => void read.reload()} />,
    },
    {
      ...{ name: 'offers', title: offerTexts.offers, count: counts.offers },
      isShown: isThere && can('retrieveOffers'),
      body: () => <OffersTab key={id} id={id} />,
    },
    {
      ...{ name: 'failures', title: userTexts.failures, count: counts.failures },
      isShown: isThere && can('retrieveOffers'),
      // A key of its own, so that it never shows the rows of the other tab.
      body: () => <OffersTab key={`failures of ${id}`} id={id} isFailed />,
    },
    {
      ...{ name: 'events', title: eventTexts.events, isShown: can('retrieveEvents') },
      body: () => <EventsTab key={id} id={id} />,
    },
    {
      ...{ name: 'erasure', title: userTexts.erasure, isShown: isThere && (can('exportUser') || can('deleteUser')) },
      body: () => <ErasureTab key={id} id={id} />,
    },
  ]
  const visibleTabs = tabs.filter(({ isShown }) => isShown)
  return visibleTabs.length > 0 ? <Tabs of={visibleTabs} /> : null
}

function Missing() {
  return <Empty>{say(userTexts.missing)}</Empty>
}

function CredentialsTab({ id, onChange }: { id: string; onChange: () => void }) {
  const [{ cursor }] = useQuery()
  const query = { limit: 50, ...(cursor && { cursor }) }
  const read = () => callApi(api.GET('/v1/users/{userId}/credentials', { params: { path: { userId: id }, query } }))
  const records = useRead(read, [id, query])
  const reload = () => {
    void records.reload()
    onChange()
  }
  return (
    <PagedTable
      of={records}
      caption={credentialTexts.credentials}
      columns={credentialColumns<Row>(reload)}
      keyOf={(each) => each.id}
      empty={<Empty>{say(credentialTexts.noneOfUser)}</Empty>}
    />
  )
}
