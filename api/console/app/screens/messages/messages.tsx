import { Tabs } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { can } from '../../kit/session.ts'
import { inboxesTexts, sendTexts } from './inbox-texts.ts'
import { Inboxes } from './inboxes.tsx'
import { Send } from './send.tsx'
import { Signatures } from './signatures.tsx'
import { messagingTexts } from './texts.ts'

const tabs = [
  { name: 'inboxes', title: inboxesTexts.title, calls: ['retrieveInboxMessages'], body: () => <Inboxes /> },
  { name: 'send', title: sendTexts.send, calls: ['sendMessage', 'retrieveDids'], body: () => <Send /> },
  { name: 'signatures', title: sendTexts.signatures, calls: ['verifyMessage'], body: () => <Signatures /> },
] as const

/** Inboxes, and what is sent and signed with the DIDs of the tenant. */
export default function Messages() {
  return (
    <Screen title={say(messagingTexts.messages)}>
      <Tabs of={tabs.filter(({ calls }) => can(...calls))} />
    </Screen>
  )
}
