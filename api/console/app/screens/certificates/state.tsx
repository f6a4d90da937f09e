import { Badge, type Mood } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import type { Authority, Signer } from './kinds.ts'
import { certificateTexts } from './texts.ts'

/** Shows whether the certificate signs, and why it does not. */
export function State({ of }: { of: Authority | Signer }) {
  const [mood, text] = stateOf(of)
  return <Badge mood={mood}>{say(text)}</Badge>
}

function stateOf(one: Authority | Signer): [Mood, Text] {
  if ('revocationDate' in one && one.revocationDate) return ['bad', certificateTexts.revoked]
  if (!one.certificateData) return ['warn', certificateTexts.waiting]
  if (Date.parse(one.certificateData.notAfter) < Date.now()) return ['bad', certificateTexts.over]
  return one.active ? ['good', certificateTexts.active] : ['quiet', certificateTexts.inactive]
}
