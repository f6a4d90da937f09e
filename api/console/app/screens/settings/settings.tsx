import { Tabs } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { can } from '../../kit/session.ts'
import { Approvals } from './approvals.tsx'
import { Audit } from './audit.tsx'
import { Contexts } from './contexts.tsx'
import { Dids } from './dids.tsx'
import { Health } from './health.tsx'
import { Keys } from './keys.tsx'
import { OwnTenant } from './own-tenant.tsx'
import { Queues } from './queues.tsx'
import { settingsTexts } from './texts.ts'

/** The settings of the tenant. Each role sees the tabs that it may read. */
export default function Settings() {
  const tabs = [
    {
      name: 'tenant',
      title: settingsTexts.tenant,
      isShown: can('retrieveTenant', 'retrieveSettings'),
      body: () => <OwnTenant />,
    },
    { name: 'keys', title: settingsTexts.keys, isShown: can('retrieveKeys'), body: () => <Keys /> },
    { name: 'dids', title: settingsTexts.dids, isShown: can('retrieveDids'), body: () => <Dids /> },
    {
      name: 'contexts',
      title: settingsTexts.contexts,
      isShown: can('retrieveContexts'),
      body: () => <Contexts />,
    },
    { name: 'approvals', title: settingsTexts.approvals, isShown: can('retrieveApprovals'), body: () => <Approvals /> },
    { name: 'audit', title: settingsTexts.audit, isShown: can('retrieveAuditProof'), body: () => <Audit /> },
    {
      name: 'queues',
      title: settingsTexts.queues,
      isShown: can('retrieveLateJobs', 'retrieveCounts'),
      body: () => <Queues />,
    },
    { name: 'health', title: settingsTexts.health, isShown: true, body: () => <Health /> },
  ]
  return (
    <Screen title={say(settingsTexts.settings)}>
      <Tabs of={tabs.filter(({ isShown }) => isShown)} />
    </Screen>
  )
}
