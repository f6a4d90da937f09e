import { Tabs } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { hasRole, type Role } from '../../kit/session.ts'
import { Approvals } from './approvals.tsx'
import { Audit } from './audit.tsx'
import { Contexts } from './contexts.tsx'
import { Dids } from './dids.tsx'
import { Health } from './health.tsx'
import { Keys } from './keys.tsx'
import { OwnTenant } from './own-tenant.tsx'
import { Queues } from './queues.tsx'
import { settingsTexts } from './texts.ts'

const ofDids: readonly Role[] = ['issuer', 'managed-issuer', 'verifier', 'dts-provider']

const ofApprovals: readonly Role[] = ['approver', 'issuer', 'managed-issuer', 'viewer']

const ofQueues: readonly Role[] = ['issuer', 'managed-issuer', 'dts-provider', 'dts-consumer', 'viewer']

/** The settings of the tenant. Each role sees the tabs that it may read. */
export default function Settings() {
  const tabs = [
    { name: 'tenant', title: settingsTexts.tenant, isShown: hasRole('admin', 'viewer'), body: () => <OwnTenant /> },
    { name: 'keys', title: settingsTexts.keys, isShown: hasRole('admin', 'viewer'), body: () => <Keys /> },
    { name: 'dids', title: settingsTexts.dids, isShown: hasRole(...ofDids, 'viewer'), body: () => <Dids /> },
    {
      name: 'contexts',
      title: settingsTexts.contexts,
      isShown: hasRole('issuer', 'managed-issuer', 'viewer'),
      body: () => <Contexts />,
    },
    { name: 'approvals', title: settingsTexts.approvals, isShown: hasRole(...ofApprovals), body: () => <Approvals /> },
    { name: 'audit', title: settingsTexts.audit, isShown: hasRole('auditor', 'viewer'), body: () => <Audit /> },
    { name: 'queues', title: settingsTexts.queues, isShown: hasRole(...ofQueues), body: () => <Queues /> },
    { name: 'health', title: settingsTexts.health, isShown: true, body: () => <Health /> },
  ]
  return (
    <Screen title={say(settingsTexts.settings)}>
      <Tabs of={tabs.filter(({ isShown }) => isShown)} />
    </Screen>
  )
}
