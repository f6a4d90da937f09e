import { api, callApi } from '../../../kit/api.ts'
import { Badge, Section } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { Empty } from '../../../kit/states.tsx'
import { type Column, PagedTable } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { to, useQuery } from '../../../kit/url-state.ts'
import { useRead } from '../../../kit/use-read.ts'
import { mayChange, type Participant } from '../calls.ts'
import { ecosystemTexts } from '../texts.ts'
import { participantTexts } from './texts.ts'

/** The participants of an ecosystem. */
export function ParticipantsTab({ ecosystemId }: { ecosystemId: string }) {
  const [{ cursor }] = useQuery()
  const query = { limit: 50, ...(cursor && { cursor }) }
  const participants = useRead(
    () => callApi(api.GET('/v1/ecosystems/{ecosystemId}/participants', { params: { path: { ecosystemId }, query } })),
    [ecosystemId, cursor],
  )
  const create = mayChange() && (
    <a class="button primary" href={to(`/ecosystems/${ecosystemId}/participants/new`)}>
      {say(participantTexts.create)}
    </a>
  )
  return (
    <Section title={say(ecosystemTexts.participants)} actions={create}>
      <PagedTable
        of={participants}
        caption={ecosystemTexts.participants}
        columns={columns}
        keyOf={({ id }) => id}
        resourceOf={({ id }) => `/v1/ecosystems/${ecosystemId}/participants/${id}`}
        empty={<Empty>{say(participantTexts.empty)}</Empty>}
      />
    </Section>
  )
}

const columns: readonly Column<Participant>[] = [
  {
    head: commonTexts.name,
    cell: ({ id, ecosystemId, name }) => <a href={to(`/ecosystems/${ecosystemId}/participants/${id}`)}>{name}</a>,
  },
  { head: participantTexts.roles, cell: (participant) => rolesOf(participant) },
  { head: commonTexts.state, cell: ({ status }) => <Status of={status} /> },
  { head: participantTexts.country, cell: ({ country, stateOrProvince }) => placeOf(country, stateOrProvince) },
]

export function rolesOf({ isIssuer, isVerifier }: Participant): string {
  const roles = [isIssuer && say(participantTexts.issuer), isVerifier && say(participantTexts.verifier)]
  return roles.filter(Boolean).join(', ') || '–'
}

export function placeOf(country: string | undefined, region: string | undefined): string {
  return [region, country].filter(Boolean).join(', ') || '–'
}

export function Status({ of }: { of: Participant['status'] }) {
  return <Badge mood={of === 'Active' ? 'good' : 'quiet'}>{say(participantTexts[of])}</Badge>
}
