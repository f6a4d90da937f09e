import type { Schemas } from '../../../kit/api.ts'
import type { Mood } from '../../../kit/bits.tsx'
import type { Text } from '../../../kit/language.ts'
import type { Issue, ListState } from './list-calls.ts'
import { listTexts } from './texts.ts'

const dayMs = 86_400_000

/** Each list says that the next one comes within 90 days (ISO/IEC 18013-5, C.1.6.4). */
export function nextUpdateOf({ date }: Issue): string {
  return new Date(Date.parse(date) + 90 * dayMs).toISOString()
}

/**
 * When the next list is published by itself: the first moment of the next day, or week from Monday, in UTC; `now` where this one has
 * none yet. `issues` have the newest first.
 */
export function nextAutomatic(frequency: Schemas['PublicationFrequency'], issues: readonly Issue[]): string | 'now' {
  const today = new Date().setUTCHours(0, 0, 0, 0)
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7
  const [begun, days] = frequency === 'Daily' ? [today, 1] : [today - sinceMonday * dayMs, 7]
  const last = issues.find(({ isAutoPublished }) => isAutoPublished)
  return last && Date.parse(last.date) >= begun ? new Date(begun + days * dayMs).toISOString() : 'now'
}

/** How lists of a kind stand, in a word. */
export function stateOf({ configuration, issues: [last] }: ListState): [Mood, Text] {
  if (configuration?.autoPublish?.lastFailure) return ['bad', listTexts.failing]
  if (!last) return configuration ? ['warn', listTexts.notPublished] : ['quiet', listTexts.notSetUp]
  const leftMs = Date.parse(nextUpdateOf(last)) - Date.now()
  if (leftMs < 0) return ['bad', listTexts.outOfDate]
  return leftMs < 14 * dayMs ? ['warn', listTexts.endsSoon] : ['good', listTexts.upToDate]
}
