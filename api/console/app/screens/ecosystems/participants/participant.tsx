import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { api, callApi } from '../../../kit/api.ts'
import { Id } from '../../../kit/copy.tsx'
import { ConfirmButton } from '../../../kit/dialog.tsx'
import { Facts, Section, Tabs } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { Screen } from '../../../kit/screen.tsx'
import { can } from '../../../kit/session.ts'
import { Shown } from '../../../kit/states.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { to } from '../../../kit/url-state.ts'
import { useRead } from '../../../kit/use-read.ts'
import { mayChange, type Participant } from '../calls.ts'
import { ecosystemTexts } from '../texts.ts'
import { AssignedTypes } from './assigned-types.tsx'
import { CertificatesTab } from './certificates-tab.tsx'
import { EvidenceTab } from './evidence-tab.tsx'
import { ParticipantForm } from './participant-form.tsx'
import { placeOf, rolesOf, Status } from './participants-tab.tsx'
import { participantTexts } from './texts.ts'
import { TryTrust } from './try-trust.tsx'
import '../ecosystems.css'

/** One participant: details, permissions, certificates and evidence. */
export default function ParticipantScreen() {
  const { id: ecosystemId = '', participantId = '' } = useRoute().params
  const path = { ecosystemId, participantId }
  const participant = useRead(
    () => callApi(api.GET('/v1/ecosystems/{ecosystemId}/participants/{participantId}', { params: { path } })),
    [ecosystemId, participantId],
  )
  const { data, reload } = participant
  return (
    <Screen
      title={data?.name ?? say(participantTexts.participant)}
      up={{ href: to(`/ecosystems/${ecosystemId}`, { tab: 'participants' }), title: say(ecosystemTexts.participants) }}
      resource={`/v1/ecosystems/${ecosystemId}/participants/${participantId}`}
      objectId={participantId}
      actions={data && mayChange() && <Deleting of={data} />}
    >
      <Shown of={participant}>{(current) => <Tabs of={tabsOf(current, () => void reload())} />}</Shown>
    </Screen>
  )
}

function tabsOf(of: Participant, reload: () => void) {
  const tabs = [
    { name: 'facts', title: participantTexts.facts, body: () => <About of={of} onChanged={reload} /> },
    { name: 'types', title: participantTexts.types, body: () => <AssignedTypes of={of} /> },
    {
      name: 'certificates',
      title: participantTexts.certificates,
      body: () => <CertificatesTab of={of} onChanged={reload} />,
    },
    ...(can('retrieveParticipantEvidenceList')
      ? [{ name: 'evidence', title: participantTexts.evidence, body: () => <EvidenceTab of={of} /> }]
      : []),
  ]
  const trust = {
    name: 'validation',
    title: ecosystemTexts.validation,
    body: () => <TryTrust ecosystemId={of.ecosystemId} of={of} />,
  }
  return mayChange() ? [...tabs, trust] : tabs
}

function About({ of, onChanged }: { of: Participant; onChanged: () => void }) {
  const [isEdited, setEdited] = useState(false)
  const { id: participantId, ecosystemId } = of
  const params = { path: { ecosystemId, participantId } }
  const edit = mayChange() && !isEdited && (
    <button type="button" onClick={() => setEdited(true)}>
      {say(commonTexts.edit)}
    </button>
  )
  return (
    <Section title={say(participantTexts.facts)} actions={edit}>
      {isEdited ? (
        <ParticipantForm
          start={of}
          action={say(commonTexts.save)}
          submit={(body) =>
            callApi(api.PUT('/v1/ecosystems/{ecosystemId}/participants/{participantId}', { params, body }))
          }
          onDone={() => {
            setEdited(false)
            onChanged()
          }}
          onCancel={() => setEdited(false)}
        />
      ) : (
        <KnownFacts of={of} />
      )}
    </Section>
  )
}

function KnownFacts({ of }: { of: Participant }) {
  const { identifiers, contacts } = of
  return (
    <Facts
      of={[
        [commonTexts.state, <Status key="status" of={of.status} />],
        [participantTexts.roles, rolesOf(of)],
        [participantTexts.country, placeOf(of.country, of.stateOrProvince)],
        [participantTexts.didWeb, identifiers['web-semantic']],
        [participantTexts.didCompactSemantic, identifiers['compact-semantic']],
        [participantTexts.didCompact, identifiers.compact],
        [
          participantTexts.contacts,
          contacts.length > 0 &&
            contacts.map(({ phoneNumber, address }) => (
              <div key={`${phoneNumber} ${address}`}>{[phoneNumber, address].filter(Boolean).join(', ')}</div>
            )),
        ],
        [commonTexts.id, <Id key="id" value={of.id} />],
      ]}
    />
  )
}

function Deleting({ of: { id: participantId, ecosystemId, name } }: { of: Participant }) {
  const { route } = useLocation()
  const params = { path: { ecosystemId, participantId } }
  return (
    <ConfirmButton
      calls="deleteParticipant"
      label={say(commonTexts.delete)}
      title={name}
      word={name}
      act={() => callApi(api.DELETE('/v1/ecosystems/{ecosystemId}/participants/{participantId}', { params }))}
      onDone={() => route(to(`/ecosystems/${ecosystemId}`, { tab: 'participants' }))}
    >
      <p>{say(participantTexts.deleteWhat)}</p>
    </ConfirmButton>
  )
}
