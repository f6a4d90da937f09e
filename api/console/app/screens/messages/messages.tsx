import { Tabs } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { inboxesTexts, sendTexts } from './inbox-texts.ts'
import { Inboxes } from './inboxes.tsx'
import { Send } from './send.tsx'
import { Signatures } from './signatures.tsx'
import { messagingTexts } from './texts.ts'

const tabs = [
  { name: 'inboxes', title: inboxesTexts.title, body: () => <Inboxes /> },
  { name: 'send', title: sendTexts.send, body: () => <Send /> },
  { name: 'signatures', title: sendTexts.signatures, body: () => <Signatures /> },
]

/** Inboxes, and what is sent and signed with the DIDs of the tenant. */
export default function Messages() {
  return (
    <Screen title={say(messagingTexts.messages)}>
      <Tabs of={tabs} />
    </Screen>
  )
}
