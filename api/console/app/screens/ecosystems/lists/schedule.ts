import type { Schemas } from '../../../kit/api.ts'
import type { Mood } from '../../../kit/elements.tsx'
import type { Text } from '../../../kit/language.ts'
import type { Issue, ListState } from './list-calls.ts'
import { listTexts } from './texts.ts'

const dayMs = 86_400_000

/** Returns the date of the next update. A list declares that the next one follows within 90 days (ISO/IEC 18013-5, C.1.6.4). */
export function nextUpdateOf({ date }: Issue): string {
  return new Date(Date.parse(date) + 90 * dayMs).toISOString()
}

/**
 * Returns when the next list is published automatically: the start of the next day, or of the next week from Monday, in UTC. Returns
 * `now` if the current period has no list yet. `issues` have the newest first.
 */
export function nextAutomatic(frequency: Schemas['PublicationFrequency'], issues: readonly Issue[]): string | 'now' {
  const today = new Date().setUTCHours(0, 0, 0, 0)
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7
  const [begun, days] = frequency === 'Daily' ? [today, 1] : [today - sinceMonday * dayMs, 7]
  const last = issues.find(({ isAutoPublished }) => isAutoPublished)
  return last && Date.parse(last.date) >= begun ? new Date(begun + days * dayMs).toISOString() : 'now'
}

/** Returns the state of the lists of a kind, as a word. */
export function stateOf({ configuration, issues: [last] }: ListState): [Mood, Text] {
  if (configuration?.autoPublish?.lastFailure) return ['bad', listTexts.failing]
  if (!last) return configuration ? ['warn', listTexts.notPublished] : ['quiet', listTexts.notSetUp]
  const leftMs = Date.parse(nextUpdateOf(last)) - Date.now()
  if (leftMs < 0) return ['bad', listTexts.outOfDate]
  return leftMs < 14 * dayMs ? ['warn', listTexts.endsSoon] : ['good', listTexts.upToDate]
}
