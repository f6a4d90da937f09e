import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Badge } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { NameOrId } from '../../kit/named.tsx'
import { RowMenu } from '../../kit/row-menu.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago } from '../../kit/when.tsx'
import { sessionTexts } from './texts.ts'

type Session = Schemas['ActiveConsoleSession']

/** The sessions that have not ended, the newest first. An admin sees those of all people and clients, others their own. */
export default function Sessions() {
  const [{ cursor }] = useQuery()
  const query = { limit: 50, order: 'newest', ...(cursor && { cursor }) } as const
  const sessions = useRead(() => callApi(api.GET('/v1/console-sessions', { params: { query } })), [cursor])
  const columns: readonly Column<Session>[] = [
    {
      head: sessionTexts.who,
      cell: ({ name, clientId, managementUserId = '' }) => <NameOrId name={name} id={clientId ?? managementUserId} />,
    },
    {
      head: commonTexts.state,
      cell: ({ isCurrent }) => isCurrent && <Badge mood="good">{say(sessionTexts.current)}</Badge>,
    },
    { head: sessionTexts.kind, cell: ({ kind }) => say(sessionTexts[kind]) },
    { head: sessionTexts.since, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    { head: sessionTexts.lastUse, cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
    { head: commonTexts.actions, cell: (row) => <Ends of={row} onDone={() => void sessions.reload()} /> },
  ]
  return (
    <Screen title={say(sessionTexts.title)}>
      <p class="soft">{say(sessionTexts.about)}</p>
      <PagedTable
        of={sessions}
        caption={sessionTexts.title}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty>{say(sessionTexts.none)}</Empty>}
      />
    </Screen>
  )
}

/** The own session of this page ends by signing out. */
function Ends({ of, onDone }: { of: Session; onDone: () => void }) {
  const { id, name, isCurrent, clientId, managementUserId = '' } = of
  const owner = clientId ? { clientId } : { managementUserId }
  return (
    <RowMenu>
      {!isCurrent && (
        <ConfirmButton
          calls="endConsoleSession"
          label={say(sessionTexts.end)}
          title={say(sessionTexts.endTitle, { name })}
          act={() => callApi(api.DELETE('/v1/console-sessions/{id}', { params: { path: { id } } }))}
          onDone={onDone}
        >
          <p>{say(sessionTexts.endText)}</p>
        </ConfirmButton>
      )}
      <ConfirmButton
        calls="endConsoleSessions"
        word={name}
        label={say(sessionTexts.endAll)}
        title={say(sessionTexts.endAllTitle, { name })}
        act={() => callApi(api.POST('/v1/console-sessions/end', { body: owner }))}
        onDone={onDone}
      >
        <p>{say(clientId ? sessionTexts.allOfClient : sessionTexts.allOfPerson, { name })}</p>
      </ConfirmButton>
    </RowMenu>
  )
}
