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
import { accessTexts } from './texts.ts'
import { Token } from './token.tsx'
import { WalletProviders } from './wallet-providers.tsx'
import { Wallets } from './wallets.tsx'

const ofAdmins = [
  { name: 'clients', title: accessTexts.clients, body: () => <Clients /> },
  { name: 'operators', title: accessTexts.operators, body: () => <OperatorProvider /> },
]
/** Their URLs and parameters can have secrets, which viewers do not see. */
const ofIssuers = [
  { name: 'holders', title: accessTexts.holders, body: () => <HolderProvider /> },
  { name: 'claim-sources', title: accessTexts.claimSources, body: () => <ClaimSources /> },
  { name: 'hook', title: accessTexts.hook, body: () => <Hook /> },
]
const ofWallets = [
  { name: 'wallets', title: accessTexts.wallets, body: () => <Wallets /> },
  { name: 'wallet-providers', title: accessTexts.walletProviders, body: () => <WalletProviders /> },
  { name: 'haip', title: conformanceTexts.title, body: () => <Conformance /> },
]
const ofHolders = [{ name: 'apps', title: holderApplicationTexts.title, body: () => <HolderApplications /> }]
const ofAll = [{ name: 'token', title: accessTexts.token, body: () => <Token /> }]

/** Access settings: management clients, sign-in of operators and holders, wallets, claim sources and the interaction hook. */
export default function Access() {
  const shown = [
    ...(hasRole('admin', 'viewer') ? ofAdmins : []),
    ...(hasRole('issuer', 'managed-issuer') ? ofIssuers : []),
    ...(hasRole('issuer', 'managed-issuer', 'viewer') ? ofWallets : []),
    ...(hasRole('holder', 'viewer') ? ofHolders : []),
    ...ofAll,
  ]
  return (
    <Screen title={say(accessTexts.access)}>
      <Tabs of={shown} />
    </Screen>
  )
}
