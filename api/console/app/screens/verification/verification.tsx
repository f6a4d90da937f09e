import { Tabs } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { can } from '../../kit/session.ts'
import { presentationTexts } from './presentation-texts.ts'
import { Presentations } from './presentations.tsx'
import { verificationTexts } from './texts.ts'
import { VerifyTab } from './verify-tab.tsx'
import { verifyTexts } from './verify-texts.ts'
import './verification.css'

const tabs = [
  { name: 'verify', title: verifyTexts.verify, calls: 'verifyCompactCredential', body: () => <VerifyTab /> },
  {
    name: 'presentations',
    title: presentationTexts.presentations,
    calls: 'retrievePresentationTemplates',
    body: () => <Presentations />,
  },
] as const

/** Verifies credentials and presentations, and requests presentations. */
export default function Verification() {
  return (
    <Screen title={say(verificationTexts.verification)}>
      <Tabs of={tabs.filter(({ calls }) => can(calls))} />
    </Screen>
  )
}
