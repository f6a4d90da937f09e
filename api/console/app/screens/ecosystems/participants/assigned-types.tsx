import { useState } from 'preact/hooks'
import { api, callApi } from '../../../kit/api.ts'
import { Section } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import type { Problem } from '../../../kit/problem.ts'
import { Empty, ProblemMessage, Shown } from '../../../kit/states.tsx'
import { type Column, Table } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { to } from '../../../kit/url-state.ts'
import { useRead } from '../../../kit/use-read.ts'
import {
  type CredentialType,
  listAll,
  loadTypes,
  mayChange,
  type Participant,
  type ParticipantRole,
  profiles,
  together,
} from '../calls.ts'
import { ecosystemTexts } from '../texts.ts'
import { participantTexts } from './texts.ts'

type Assigned = Record<ParticipantRole, CredentialType[]>

/** The types that a participant may issue and verify, with a checkbox for each. */
export function AssignedTypes({ of }: { of: Participant }) {
  const { id: participantId, ecosystemId } = of
  const [problem, setProblem] = useState<Problem>()
  const read = useRead(() => loadAssigned(of), [ecosystemId, participantId])
  const change = async (role: ParticipantRole, type: CredentialType, isAssigned: boolean) => {
    const answered = await setAssigned(of, role, type.id, isAssigned)
    setProblem(answered.problem)
    await read.reload()
  }
  return (
    <Section title={say(participantTexts.types)}>
      {problem && <ProblemMessage problem={problem} />}
      <Shown of={read}>
        {({ types, issuer, verifier }) =>
          types.length === 0 ? (
            <Empty
              action={<a href={to(`/ecosystems/${ecosystemId}`, { tab: 'types' })}>{say(participantTexts.toTypes)}</a>}
            >
              {say(participantTexts.noTypes)}
            </Empty>
          ) : (
            <>
              <p class="soft">{say(participantTexts.assignWhat)}</p>
              <Table
                caption={participantTexts.types}
                columns={columnsOf(of, { issuer, verifier }, change)}
                rows={types}
                keyOf={({ id }) => id}
              />
            </>
          )
        }
      </Shown>
    </Section>
  )
}

async function loadAssigned({ id: participantId, ecosystemId }: Participant) {
  const assigned = (role: ParticipantRole) => {
    const path = `/v1/ecosystems/{ecosystemId}/participants/{participantId}/${role}/credentials` as const
    return listAll<CredentialType>((query) =>
      callApi(api.GET(path, { params: { path: { ecosystemId, participantId }, query } })),
    )
  }
  const [types, issuer, verifier] = await Promise.all([
    loadTypes(ecosystemId),
    assigned('issuer'),
    assigned('verifier'),
  ])
  return together<Assigned & { types: CredentialType[] }>({ types, issuer, verifier })
}

function setAssigned(
  { id: participantId, ecosystemId }: Participant,
  role: ParticipantRole,
  credentialId: string,
  isAssigned: boolean,
) {
  const path = `/v1/ecosystems/{ecosystemId}/participants/{participantId}/${role}/credentials` as const
  const of = { ecosystemId, participantId }
  return isAssigned
    ? callApi(api.POST(path, { params: { path: of }, body: { credentialId } }))
    : callApi(api.DELETE(`${path}/{credentialId}`, { params: { path: { ...of, credentialId } } }))
}

function columnsOf(
  of: Participant,
  assigned: Assigned,
  change: (role: ParticipantRole, type: CredentialType, isAssigned: boolean) => Promise<void>,
): readonly Column<CredentialType>[] {
  const tick = (role: ParticipantRole) => (type: CredentialType) => {
    const [isIn, isConstrained] =
      role === 'issuer' ? [of.isIssuer, of.isIssuerConstrained] : [of.isVerifier, of.isVerifierConstrained]
    if (!isIn) return <span class="soft">{say(participantTexts.notInRole)}</span>
    const isAssigned = assigned[role].some(({ id }) => id === type.id)
    return (
      <>
        <input
          type="checkbox"
          checked={isAssigned}
          disabled={!mayChange()}
          aria-label={say(participantTexts.assign, { role: say(headOf[role]), type: type.name })}
          onChange={({ currentTarget }) => void change(role, type, currentTarget.checked)}
        />
        {!isConstrained && <span class="soft"> {say(participantTexts.all)}</span>}
      </>
    )
  }
  return [
    { head: commonTexts.name, cell: ({ name }) => name },
    { head: ecosystemTexts.profile, cell: ({ profile }) => say(profiles[profile]) },
    { head: ecosystemTexts.type, cell: ({ type }) => <code>{type}</code> },
    { head: headOf.issuer, cell: tick('issuer') },
    { head: headOf.verifier, cell: tick('verifier') },
  ]
}

const headOf = { issuer: participantTexts.mayIssue, verifier: participantTexts.mayVerify }
