import { Tabs } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { hasRole } from '../../kit/session.ts'
import { ClaimSources } from './claim-sources.tsx'
import { Clients } from './clients.tsx'
import { Conformance } from './conformance.tsx'
import { conformanceTexts } from './conformance-texts.ts'
import { holderApplicationTexts } from './holder-application-texts.ts'
import { HolderApplications } from './holder-applications.tsx'
import { HolderProvider } from './holder-provider.tsx'
import { Hook } from './hook.tsx'
import { OperatorProvider } from './operator-provider.tsx'
import { OwnRoles } from './own-roles.tsx'
import { accessTexts, ownRoleTexts } from './texts.ts'
import { Token } from './token.tsx'
import { WalletProviders } from './wallet-providers.tsx'
import { Wallets } from './wallets.tsx'

const ofAdmins = [
  { name: 'clients', group: accessTexts.ofOperators, title: accessTexts.clients, body: () => <Clients /> },
  { name: 'operators', group: accessTexts.ofOperators, title: accessTexts.operators, body: () => <OperatorProvider /> },
  { name: 'roles', group: accessTexts.ofOperators, title: ownRoleTexts.title, body: () => <OwnRoles /> },
]
/** Their URLs and parameters can have secrets, which viewers do not see. */
const ofIssuers = [
  { name: 'holders', group: accessTexts.ofHolders, title: accessTexts.holders, body: () => <HolderProvider /> },
  {
    name: 'claim-sources',
    group: accessTexts.ofSystems,
    title: accessTexts.claimSources,
    body: () => <ClaimSources />,
  },
  { name: 'hook', group: accessTexts.ofSystems, title: accessTexts.hook, body: () => <Hook /> },
]
const ofWallets = [
  { name: 'wallets', group: accessTexts.ofHolders, title: accessTexts.wallets, body: () => <Wallets /> },
  {
    name: 'wallet-providers',
    group: accessTexts.ofHolders,
    title: accessTexts.walletProviders,
    body: () => <WalletProviders />,
  },
  { name: 'haip', group: accessTexts.ofHolders, title: conformanceTexts.title, body: () => <Conformance /> },
]
const ofHolders = [
  {
    name: 'apps',
    group: accessTexts.ofHolders,
    title: holderApplicationTexts.title,
    body: () => <HolderApplications />,
  },
]
const ofAll = [{ name: 'token', group: accessTexts.ofOperators, title: accessTexts.token, body: () => <Token /> }]

/** Access settings: management clients, sign-in of operators and holders, wallets, claim sources and the interaction hook. */
export default function Access() {
  const tabs = [
    ...(hasRole('admin', 'viewer') ? ofAdmins : []),
    ...(hasRole('issuer', 'managed-issuer') ? ofIssuers : []),
    ...(hasRole('issuer', 'managed-issuer', 'viewer') ? ofWallets : []),
    ...(hasRole('holder', 'viewer') ? ofHolders : []),
    ...ofAll,
  ]
  return (
    <Screen title={say(accessTexts.access)}>
      <Tabs of={tabs} />
    </Screen>
  )
}
