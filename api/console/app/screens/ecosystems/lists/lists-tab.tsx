import { Spans } from '../../../kit/charts/spans.tsx'
import { chartTexts } from '../../../kit/charts/texts.ts'
import { ConfirmButton } from '../../../kit/dialog.tsx'
import { Badge, Section } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { ManagedMark } from '../../../kit/managed-mark.tsx'
import { Empty, Shown } from '../../../kit/states.tsx'
import { type Column, Table } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { to } from '../../../kit/url-state.ts'
import { useRead } from '../../../kit/use-read.ts'
import { ShortTime } from '../../../kit/when.tsx'
import { mayChange } from '../calls.ts'
import { Addresses } from './addresses.tsx'
import { ConfigureButton, StopButton } from './configuring.tsx'
import {
  deleteIssue,
  type Issue,
  kindNames,
  type ListKind,
  type ListState,
  loadLists,
  publicPath,
} from './list-calls.ts'
import { ListFacts, PublishButton } from './list-facts.tsx'
import { nextAutomatic, nextUpdateOf, stateOf } from './schedule.ts'
import { listTexts } from './texts.ts'

/** The lists of a kind that an ecosystem publishes: configuration, issues and addresses. */
export function ListsTab({ ecosystemId, kind }: { ecosystemId: string; kind: ListKind }) {
  const lists = useRead(() => loadLists(ecosystemId, kind), [ecosystemId, kind], { everyMs: 15_000 })
  const reload = () => void lists.reload()
  return (
    <Shown of={lists}>
      {(state) => (
        <>
          <HowPublished ecosystemId={ecosystemId} kind={kind} state={state} onChanged={reload} />
          <Section title={say(listTexts.issues)}>
            {state.issues.length > 0 ? (
              <Table
                caption={listTexts.issues}
                columns={columnsOf(ecosystemId, kind, state.issues, reload)}
                rows={state.issues}
                keyOf={({ number }) => String(number)}
              />
            ) : (
              <Empty>{say(listTexts.noIssues)}</Empty>
            )}
          </Section>
          <Section title={say(listTexts.publicAddresses)}>
            <p class="soft">{say(listTexts.publicWhat)}</p>
            <Addresses
              of={[
                [listTexts.latestAt, publicPath(ecosystemId, kind, '/latest')],
                [listTexts.listAt, publicPath(ecosystemId, kind)],
                [listTexts.rootsAt, '/v1/ecosystems/public/certificates/ca'],
              ]}
            />
          </Section>
        </>
      )}
    </Shown>
  )
}

function HowPublished(props: { ecosystemId: string; kind: ListKind; state: ListState; onChanged: () => void }) {
  const { ecosystemId, kind, state, onChanged } = props
  const { configuration } = state
  const [mood, word] = stateOf(state)
  const configure = mayChange() && <ConfigureButton {...props} configuration={configuration} />
  return (
    <Section title={kindNames[kind]} actions={<Badge mood={mood}>{say(word)}</Badge>}>
      <p class="soft">{say(kind === 'vical' ? listTexts.vicalWhat : listTexts.ricalWhat)}</p>
      <ManagedMark resource={`/v1/ecosystems/${ecosystemId}/${kind}s/configuration`} />
      <ListFacts ecosystemId={ecosystemId} kind={kind} state={state} />
      <Lifetimes kind={kind} state={state} />
      {mayChange() && (
        <div class="actions acts">
          {configuration && <PublishButton ecosystemId={ecosystemId} kind={kind} onDone={onChanged} />}
          {configure}
          {configuration && <StopButton {...props} />}
        </div>
      )}
    </Section>
  )
}

/** The number of newest issues whose lifetimes are shown. */
const shownIssues = 5

/** The lifetimes of the newest issues until the date of their next update, with the next automatic publication. */
function Lifetimes({ kind, state: { configuration, issues } }: { kind: ListKind; state: ListState }) {
  const automatic = configuration?.autoPublish
  const next = automatic?.enabled && !automatic.lastFailure ? nextAutomatic(automatic.frequency, issues) : 'now'
  const spans = issues.slice(0, shownIssues).map((issue, place) => ({
    ...{ key: String(issue.number), name: `${kindNames[kind]} ${issue.number}` },
    ...{ from: issue.date, until: nextUpdateOf(issue), renewsAt: place > 0 || next === 'now' ? undefined : next },
  }))
  return <Spans title={chartTexts.lifetimes} head={listTexts.number} spans={spans} />
}

function columnsOf(
  ecosystemId: string,
  kind: ListKind,
  issues: readonly Issue[],
  reload: () => void,
): readonly Column<Issue>[] {
  const at = (number: number, since?: number) =>
    to(`/ecosystems/${ecosystemId}/${kind}s/${number}`, { since: since?.toString() })
  const columns: Column<Issue>[] = [
    { head: listTexts.number, cell: ({ number }) => <a href={at(number)}>{`${kindNames[kind]} ${number}`}</a> },
    { head: listTexts.date, cell: ({ date }) => <ShortTime at={date} /> },
    { head: listTexts.how, cell: ({ isAutoPublished: is }) => say(is ? listTexts.byItself : listTexts.byHand) },
    {
      head: listTexts.compare,
      cell: ({ number }) => {
        const before = issues[issues.findIndex((each) => each.number === number) + 1]
        return before && <a href={at(number, before.number)}>{`${before.number} → ${number}`}</a>
      },
    },
    {
      head: commonTexts.download,
      cell: ({ number, filename }) => (
        <a href={publicPath(ecosystemId, kind, `/${number}`)} download={filename}>
          .cbor
        </a>
      ),
    },
  ]
  if (!mayChange()) return columns
  const cell = ({ number }: Issue) => (
    <ConfirmButton
      calls="deleteVical"
      label={say(commonTexts.delete)}
      title={`${kindNames[kind]} ${number}`}
      word={String(number)}
      act={() => deleteIssue(ecosystemId, kind, number)}
      onDone={reload}
    >
      <p>{say(listTexts.deleteIssue)}</p>
    </ConfirmButton>
  )
  return [...columns, { head: commonTexts.actions, cell }]
}
