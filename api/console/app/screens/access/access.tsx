import { type Tab, Tabs } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { can, type Operation } from '../../kit/session.ts'
import { AuthorizationServers } from './authorization-servers/authorization-servers.tsx'
import { serverTexts } from './authorization-servers/texts.ts'
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
import { readerTexts } from './reader-texts.ts'
import { Readers } from './readers.tsx'
import { accessTexts, ownRoleTexts } from './texts.ts'
import { Token } from './token.tsx'
import { viewTexts } from './views/texts.ts'
import { Views } from './views/views.tsx'
import { WalletProviders } from './wallet-providers.tsx'
import { Wallets } from './wallets.tsx'

/** The tabs and what they read. The last one is for each user who sees the screen. */
const tabs: readonly (Tab & { reads: readonly Operation[] })[] = [
  {
    ...{ name: 'clients', group: accessTexts.ofOperators, title: accessTexts.clients, reads: ['retrieveClients'] },
    body: () => <Clients />,
  },
  {
    ...{ name: 'operators', group: accessTexts.ofOperators, title: accessTexts.operators },
    reads: ['retrieveSignInProvider'],
    body: () => <OperatorProvider />,
  },
  {
    ...{ name: 'roles', group: accessTexts.ofOperators, title: ownRoleTexts.title, reads: ['retrieveSettings'] },
    body: () => <OwnRoles />,
  },
  {
    ...{ name: 'holders', group: accessTexts.ofHolders, title: accessTexts.holders },
    reads: ['retrieveAuthenticationProviders'],
    body: () => <HolderProvider />,
  },
  {
    ...{ name: 'authorization-servers', group: accessTexts.ofHolders, title: serverTexts.title },
    reads: ['retrieveAuthorizationServers'],
    body: () => <AuthorizationServers />,
  },
  {
    ...{ name: 'claim-sources', group: accessTexts.ofSystems, title: accessTexts.claimSources },
    reads: ['retrieveClaimSources'],
    body: () => <ClaimSources />,
  },
  {
    ...{ name: 'hook', group: accessTexts.ofSystems, title: accessTexts.hook, reads: ['retrieveOpenIdConfiguration'] },
    body: () => <Hook />,
  },
  {
    ...{ name: 'wallets', group: accessTexts.ofHolders, title: accessTexts.wallets, reads: ['retrieveOAuthClients'] },
    body: () => <Wallets />,
  },
  {
    ...{ name: 'wallet-providers', group: accessTexts.ofHolders, title: accessTexts.walletProviders },
    reads: ['retrieveWalletProviders'],
    body: () => <WalletProviders />,
  },
  {
    ...{ name: 'haip', group: accessTexts.ofHolders, title: conformanceTexts.title, reads: ['retrieveConformance'] },
    body: () => <Conformance />,
  },
  {
    ...{ name: 'readers', group: accessTexts.ofHolders, title: readerTexts.title, reads: ['retrieveReaders'] },
    body: () => <Readers />,
  },
  {
    ...{ name: 'views', group: accessTexts.ofHolders, title: viewTexts.title, reads: ['retrieveViews'] },
    body: () => <Views />,
  },
  {
    ...{ name: 'apps', group: accessTexts.ofHolders, title: holderApplicationTexts.title },
    reads: ['retrieveHolderApplications'],
    body: () => <HolderApplications />,
  },
  {
    ...{ name: 'token', group: accessTexts.ofOperators, title: accessTexts.token, reads: [] },
    body: () => <Token />,
  },
]

/** Access settings: management clients, sign-in of operators and holders, wallets, claim sources and the interaction hook. */
export default function Access() {
  return (
    <Screen title={say(accessTexts.access)}>
      <Tabs of={tabs.filter(({ reads }) => can(...reads))} />
    </Screen>
  )
}
