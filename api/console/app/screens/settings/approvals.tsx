import { ActButton } from '../../kit/act-button.tsx'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Badge, type Mood, Section } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago, numberText } from '../../kit/when.tsx'
import { ApprovalDetails, Person } from './approval-details.tsx'
import { ApprovalRules } from './approval-rules.tsx'
import { approvalTexts, settingsTexts } from './texts.ts'
import './settings.css'

type Approval = Schemas['Approval']

const moods: Record<Approval['state'], Mood> = {
  waiting: 'warn',
  approved: 'good',
  executed: 'good',
  rejected: 'bad',
  expired: 'quiet',
}

const kinds: Readonly<Record<string, Text>> = {
  statusChanges: approvalTexts.statusChanges,
  bulkIssuances: approvalTexts.bulkIssuances,
  authorityDeletions: approvalTexts.authorityDeletions,
  configurationDeletions: approvalTexts.configurationDeletions,
  settings: approvalTexts.settings,
}

/** The requests that needed an approval, the newest first. Others than the sender approve those that wait. Each can reject one that has not ended. */
export function Approvals() {
  const [{ cursor }] = useQuery()
  const query = { limit: 50, order: 'newest', ...(cursor && { cursor }) } as const
  const approvals = useRead(() => callApi(api.GET('/v1/approvals', { params: { query } })), [cursor])
  const columns: readonly Column<Approval>[] = [
    {
      head: approvalTexts.operation,
      cell: (approval) => {
        const kind = kinds[approval.kind]
        return <ApprovalDetails of={approval} name={kind ? say(kind) : approval.operation} />
      },
    },
    { head: approvalTexts.objects, cell: ({ objects }) => numberText(objects), isNumber: true },
    {
      head: commonTexts.state,
      cell: ({ state }) => <Badge mood={moods[state]}>{say(approvalTexts[state])}</Badge>,
    },
    {
      head: approvalTexts.askedBy,
      cell: ({ askedBy, isOwn }) => (isOwn ? say(approvalTexts.own) : <Person of={askedBy} />),
    },
    { head: approvalTexts.expiresAt, cell: (row) => isOpen(row) && <Ago at={row.expiresAt} /> },
    { head: commonTexts.actions, cell: (row) => <Decision of={row} onDone={() => void approvals.reload()} /> },
  ]
  return (
    <>
      <Section title={say(settingsTexts.approvals)}>
        <p class="soft">{say(approvalTexts.about)}</p>
        <PagedTable
          of={approvals}
          caption={settingsTexts.approvals}
          columns={columns}
          keyOf={({ id }) => id}
          empty={<Empty>{say(approvalTexts.none)}</Empty>}
        />
      </Section>
      {can('updateSettings') && <ApprovalRules onWaiting={() => void approvals.reload()} />}
    </>
  )
}

function isOpen({ state }: Approval): boolean {
  return state === 'waiting' || state === 'approved'
}

function Decision({ of, onDone }: { of: Approval; onDone: () => void }) {
  const { id, state, isOwn } = of
  if (!isOpen(of)) return null
  const params = { path: { id } }
  return (
    <div class="actions">
      {!isOwn && state === 'waiting' && (
        <ActButton
          calls="approveRequest"
          label={say(approvalTexts.approve)}
          isPrimary
          act={() => callApi(api.POST('/v1/approvals/{id}/approve', { params }))}
          onDone={onDone}
        />
      )}
      <ActButton
        calls="rejectRequest"
        label={say(approvalTexts.reject)}
        act={() => callApi(api.POST('/v1/approvals/{id}/reject', { params }))}
        onDone={onDone}
      />
    </div>
  )
}
