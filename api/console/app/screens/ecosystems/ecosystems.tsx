import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Badge } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { Screen } from '../../kit/screen.tsx'
import { can } from '../../kit/session.ts'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText } from '../../kit/when.tsx'
import { type Ecosystem, together } from './calls.ts'
import { ecosystemTexts } from './texts.ts'

interface EcosystemConcerns {
  publications: Schemas['TroubledPublications']
  integrations: Schemas['FailingIntegrations']
}

/** All ecosystems, with the concerns of each. */
export default function Ecosystems() {
  const [{ cursor }] = useQuery()
  const ecosystems = useRead(
    () => callApi(api.GET('/v1/ecosystems', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })),
    [cursor],
  )
  const mayKnow = can('retrieveTroubledPublications', 'retrieveFailingIntegrations')
  const concerns = useRead<EcosystemConcerns | null>(mayKnow ? listConcerns : async () => ({ data: null }), [], {
    everyMs: mayKnow ? 30_000 : undefined,
  })
  const create = (
    <LinkButton path="/ecosystems/new" isPrimary>
      {say(ecosystemTexts.create)}
    </LinkButton>
  )
  const certificates = <LinkButton path="/ecosystems/certificates">{say(ecosystemTexts.certificates)}</LinkButton>
  return (
    <Screen title={say(ecosystemTexts.ecosystems)} actions={[certificates, create]}>
      <PagedTable
        of={ecosystems}
        caption={ecosystemTexts.ecosystems}
        columns={columnsOf(concerns.data ?? undefined)}
        keyOf={({ id }) => id}
        resourceOf={({ id }) => `/v1/ecosystems/${id}`}
        empty={<Empty action={create}>{say(ecosystemTexts.empty)}</Empty>}
      />
    </Screen>
  )
}

async function listConcerns() {
  const [publications, integrations] = await Promise.all([
    callApi(api.GET('/v1/overview/publications')),
    callApi(api.GET('/v1/overview/integrations')),
  ])
  return together<EcosystemConcerns>({ publications, integrations })
}

function columnsOf(concerns: EcosystemConcerns | undefined): readonly Column<Ecosystem>[] {
  return [
    { head: commonTexts.name, cell: ({ id, name }) => <a href={to(`/ecosystems/${id}`)}>{name}</a> },
    { head: ecosystemTexts.attention, cell: ({ id }) => concerns && <Attention of={concerns} id={id} /> },
    {
      head: ecosystemTexts.integrations,
      isNumber: true,
      cell: ({ integrations }) => numberText(integrations.filter(({ enabled }) => enabled).length),
    },
  ]
}

function Attention({ of: { publications, integrations }, id }: { of: EcosystemConcerns; id: string }) {
  const lists = publications.data.filter(({ ecosystemId }) => ecosystemId === id)
  const failing = integrations.data.filter(({ ecosystemId }) => ecosystemId === id).length
  if (lists.length === 0 && failing === 0) return <span class="soft">{say(ecosystemTexts.allWell)}</span>
  return (
    <div class="actions">
      {lists.map(({ list, reason, severity }) => (
        <Badge key={list + reason} mood={severity === 'notice' ? 'warn' : 'bad'}>
          {say(ecosystemTexts[reason], { list })}
        </Badge>
      ))}
      {failing > 0 && <Badge mood="bad">{say(ecosystemTexts.failing, { count: failing })}</Badge>}
    </div>
  )
}
