import { useLocation } from 'preact-iso'
import { Tabs } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { Screen } from '../../../kit/screen.tsx'
import { to } from '../../../kit/url-state.ts'
import { ecosystemTexts } from '../texts.ts'
import { RootsTab } from './roots-tab.tsx'
import { SignersTab } from './signers-tab.tsx'
import { certificateTexts } from './texts.ts'
import '../ecosystems.css'

/** The roots and signers of the lists of all ecosystems of a tenant. */
export default function Certificates() {
  const { path } = useLocation()
  // Other screens link to a tab by its own address.
  const named = ({ name }: { name: string }) => Number(path.includes(`/${name}-signer/`))
  return (
    <Screen
      title={say(ecosystemTexts.certificates)}
      up={{ href: to('/ecosystems'), title: say(ecosystemTexts.ecosystems) }}
    >
      <Tabs of={tabs.toSorted((one, other) => named(other) - named(one))} />
    </Screen>
  )
}

const tabs = [
  { name: 'roots', title: certificateTexts.roots, body: () => <RootsTab /> },
  { name: 'vical', title: certificateTexts.vicalSigners, body: () => <SignersTab key="vical" kind="vical" /> },
  { name: 'rical', title: certificateTexts.ricalSigners, body: () => <SignersTab key="rical" kind="rical" /> },
]
