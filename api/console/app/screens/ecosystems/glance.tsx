import { api, callApi } from '../../kit/api.ts'
import { Badge, Facts, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { Shown } from '../../kit/states.tsx'
import { to } from '../../kit/url-state.ts'
import { type Reading, useRead } from '../../kit/use-read.ts'
import { numberText } from '../../kit/when.tsx'
import { type Ecosystem, mayChange, together } from './calls.ts'
import { Guide } from './guide.tsx'
import { certificatesOf } from './integrations/certificates-address.ts'
import { IntegrationResult } from './integrations/result.tsx'
import { ConfigureButton } from './lists/configuring.tsx'
import { kindNames, type ListKind, type ListState, loadLists } from './lists/list-calls.ts'
import { ListFacts, PublishButton } from './lists/list-facts.tsx'
import { stateOf } from './lists/schedule.ts'
import { listTexts } from './lists/texts.ts'
import { ecosystemTexts } from './texts.ts'

/** The overview of an ecosystem: the state of its lists, failures and next steps. */
export function Glance({ ecosystem }: { ecosystem: Ecosystem }) {
  const { id, integrations } = ecosystem
  const vicals = useRead(() => loadLists(id, 'vical'), [id], { everyMs: 15_000 })
  const ricals = useRead(() => loadLists(id, 'rical'), [id], { everyMs: 15_000 })
  return (
    <>
      {mayChange() && can('retrieveEcosystemCas') && vicals.data && <Guide ecosystemId={id} vicals={vicals.data} />}
      <div class="cards glance">
        <ListCard ecosystemId={id} kind="vical" of={vicals} />
        <ListCard ecosystemId={id} kind="rical" of={ricals} />
        <Counts ecosystemId={id} />
      </div>
      {integrations.length > 0 && (
        <Section title={say(ecosystemTexts.integrations)}>
          {integrations.map((each, position) => (
            <IntegrationResult key={each.url} of={each} certificatesHref={certificatesOf(id, position)} />
          ))}
        </Section>
      )}
    </>
  )
}

function ListCard(props: { ecosystemId: string; kind: ListKind; of: Reading<ListState> }) {
  const { ecosystemId, kind, of: lists } = props
  const reload = () => void lists.reload()
  const state = lists.data
  const [mood, word] = state ? stateOf(state) : []
  return (
    <section class="card">
      <header class="head">
        <h2>
          <a href={to(`/ecosystems/${ecosystemId}`, { tab: `${kind}s` })}>{kindNames[kind]}</a>
        </h2>
        {mood && word && <Badge mood={mood}>{say(word)}</Badge>}
      </header>
      <Shown of={lists}>
        {(state) => (
          <>
            <p class="soft">{say(kind === 'vical' ? listTexts.vicalWhat : listTexts.ricalWhat)}</p>
            <ListFacts ecosystemId={ecosystemId} kind={kind} state={state} />
            {mayChange() && (
              <div class="actions acts">
                {state.configuration ? (
                  <PublishButton ecosystemId={ecosystemId} kind={kind} onDone={reload} />
                ) : (
                  <ConfigureButton ecosystemId={ecosystemId} kind={kind} configuration={null} onChanged={reload} />
                )}
              </div>
            )}
          </>
        )}
      </Shown>
    </section>
  )
}

/** Above this number, a count is shown as “at least”. */
const maxCounted = 1_000

function Counts({ ecosystemId }: { ecosystemId: string }) {
  const counts = useRead(() => loadCounts(ecosystemId), [ecosystemId], { everyMs: 15_000 })
  return (
    <section class="card">
      <header class="head">
        <h2>{say(ecosystemTexts.counts)}</h2>
      </header>
      <Shown of={counts}>
        {({ types, participants }) => (
          <Facts
            of={[
              [
                ecosystemTexts.types,
                <Count key="types" of={types} href={to(`/ecosystems/${ecosystemId}`, { tab: 'types' })} />,
              ],
              [
                ecosystemTexts.participants,
                <Count key="all" of={participants} href={to(`/ecosystems/${ecosystemId}`, { tab: 'participants' })} />,
              ],
            ]}
          />
        )}
      </Shown>
    </section>
  )
}

interface Counted {
  data: unknown[]
  nextCursor?: string
}

async function loadCounts(ecosystemId: string) {
  const params = { path: { ecosystemId }, query: { limit: maxCounted } }
  const [types, participants] = await Promise.all([
    callApi(api.GET('/v1/ecosystems/{ecosystemId}/credentials', { params })),
    callApi(api.GET('/v1/ecosystems/{ecosystemId}/participants', { params })),
  ])
  return together<{ types: Counted; participants: Counted }>({ types, participants })
}

function Count({ of: { data, nextCursor }, href }: { of: Counted; href: string }) {
  const count = numberText(data.length)
  return <a href={href}>{nextCursor ? say(ecosystemTexts.atLeast, { count }) : count}</a>
}
