import { useEffect, useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { api, callApi } from '../../kit/api.ts'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Tabs } from '../../kit/elements.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { changeEcosystem, type Ecosystem, mayChange } from './calls.ts'
import { Glance } from './glance.tsx'
import { IntegrationsTab } from './integrations/integrations-tab.tsx'
import { ListsTab } from './lists/lists-tab.tsx'
import { listTexts } from './lists/texts.ts'
import { ecosystemFields } from './new.tsx'
import { ParticipantsTab } from './participants/participants-tab.tsx'
import { TryTrust } from './participants/try-trust.tsx'
import { PoliciesTab } from './policies/policies-tab.tsx'
import { ecosystemTexts } from './texts.ts'
import { TypesTab } from './types-tab.tsx'
import './ecosystems.css'

/** One ecosystem: an overview, and a tab for each part. */
export default function EcosystemScreen() {
  const { params } = useRoute()
  const ecosystemId = params.id ?? ''
  // True while an enabled imported list has no result yet. The screen then polls at a higher rate.
  const [isAwaited, setAwaited] = useState(false)
  const ecosystem = useRead(
    () => callApi(api.GET('/v1/ecosystems/{ecosystemId}', { params: { path: { ecosystemId } } })),
    [ecosystemId],
    { everyMs: isAwaited ? 2_000 : 15_000 },
  )
  const { data, reload } = ecosystem
  useEffect(() => setAwaited(!!data?.integrations.some((each) => each.enabled && !each.integrationResult)), [data])
  return (
    <Screen
      title={data?.name ?? say(ecosystemTexts.ecosystem)}
      up={{ href: to('/ecosystems'), title: say(ecosystemTexts.ecosystems) }}
      resource={`/v1/ecosystems/${ecosystemId}`}
      objectId={ecosystemId}
      actions={data && mayChange() && <Changing ecosystem={data} onChanged={() => void reload()} />}
    >
      <Shown of={ecosystem}>{(current) => <Tabs of={tabsOf(current, () => void reload())} />}</Shown>
    </Screen>
  )
}

function tabsOf(ecosystem: Ecosystem, reload: () => void) {
  const { id } = ecosystem
  return [
    { name: 'glance', title: ecosystemTexts.glance, body: () => <Glance ecosystem={ecosystem} /> },
    { name: 'types', title: ecosystemTexts.types, body: () => <TypesTab ecosystemId={id} /> },
    {
      name: 'participants',
      title: ecosystemTexts.participants,
      body: () => <ParticipantsTab ecosystemId={id} />,
    },
    { name: 'vicals', title: listTexts.vicals, body: () => <ListsTab ecosystemId={id} kind="vical" /> },
    { name: 'ricals', title: listTexts.ricals, body: () => <ListsTab ecosystemId={id} kind="rical" /> },
    { name: 'policies', title: ecosystemTexts.policies, body: () => <PoliciesTab ecosystemId={id} /> },
    {
      name: 'integrations',
      title: ecosystemTexts.integrations,
      body: () => <IntegrationsTab ecosystem={ecosystem} onChanged={reload} />,
    },
    ...(mayChange()
      ? [{ name: 'validation', title: ecosystemTexts.validation, body: () => <TryTrust ecosystemId={id} /> }]
      : []),
  ]
}

function Changing({ ecosystem: { id, name }, onChanged }: { ecosystem: Ecosystem; onChanged: () => void }) {
  const { route } = useLocation()
  const params = { path: { ecosystemId: id } }
  return (
    <>
      <FormButton
        calls="updateEcosystem"
        label={say(ecosystemTexts.rename)}
        fields={ecosystemFields}
        start={{ name }}
        submit={(typed) => changeEcosystem(id, (body) => ({ ...body, name: String(typed.name) }))}
        onDone={onChanged}
      />
      <ConfirmButton
        calls="deleteEcosystem"
        label={say(commonTexts.delete)}
        title={name}
        word={name}
        act={() => callApi(api.DELETE('/v1/ecosystems/{ecosystemId}', { params }))}
        onDone={() => route(to('/ecosystems'))}
      >
        <p>{say(ecosystemTexts.deleteWhat)}</p>
      </ConfirmButton>
    </>
  )
}
