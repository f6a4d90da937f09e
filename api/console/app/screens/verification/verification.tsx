import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { verificationTexts } from './texts.ts'
import { VerifyTab } from './verify-tab.tsx'
import './verification.css'

/** Verifies credentials and presentations. */
export default function Verification() {
  return (
    <Screen title={say(verificationTexts.verification)}>
      <VerifyTab />
    </Screen>
  )
}
