import type { ComponentChildren } from 'preact'
import { Tabs } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { can, type Operation } from '../../kit/session.ts'
import { certificateTexts } from './texts.ts'
import { Tree } from './tree.tsx'
import { TrustedIssuers } from './trusted-issuers.tsx'

const tabs: readonly { name: string; title: Text; body: () => ComponentChildren; reads: Operation }[] = [
  {
    name: 'issuing',
    title: certificateTexts.issuing,
    body: () => <Tree />,
    reads: 'retrieveIacas',
  },
  { name: 'trusted', title: certificateTexts.trusted, body: () => <TrustedIssuers />, reads: 'retrieveTrustedIssuers' },
]

/** The certificates that sign mobile credentials, and the trusted issuers for verification. */
export default function Certificates() {
  return (
    <Screen title={say(certificateTexts.certificates)}>
      <Tabs of={tabs.filter(({ reads }) => can(reads))} />
    </Screen>
  )
}
