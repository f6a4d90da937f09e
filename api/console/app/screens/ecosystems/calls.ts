import { type Answered, api, ask, type Schemas } from '../../kit/api.ts'
import type { Text } from '../../kit/language.ts'
import { hasRole } from '../../kit/session.ts'
import { ecosystemTexts } from './texts.ts'

export type Ecosystem = Schemas['Ecosystem']
export type CredentialType = Schemas['CredentialType']
export type Participant = Schemas['Participant']
export type ParticipantRole = 'issuer' | 'verifier'

/** Whether who is signed in may change ecosystems; else they read. */
export function mayChange(): boolean {
  return hasRole('dts-provider')
}

export const profiles: Record<CredentialType['profile'], Text> = {
  mobile: ecosystemTexts.mobile,
  compact: ecosystemTexts.compact,
  'compact-semantic': ecosystemTexts.compactSemantic,
  'web-semantic': ecosystemTexts.webSemantic,
}

interface Page<Row> {
  data: Row[]
  nextCursor?: string
}

/** How many pages of a thousand are read where all are wanted. */
const mostPages = 10

/** All rows of a list that is bounded. */
export async function askAll<Row>(
  page: (at: { limit: number; cursor?: string }) => Promise<Answered<Page<Row>>>,
): Promise<Answered<Row[]>> {
  const data: Row[] = []
  let cursor: string | undefined
  for (let read = 0; read < mostPages; read++) {
    const answered = await page({ limit: 1_000, ...(cursor && { cursor }) })
    if (answered.problem) return answered
    data.push(...answered.data.data)
    cursor = answered.data.nextCursor
    if (!cursor) break
  }
  return { data }
}

export function askTypes(ecosystemId: string): Promise<Answered<CredentialType[]>> {
  return askAll((query) =>
    ask(api.GET('/v1/ecosystems/{ecosystemId}/credentials', { params: { path: { ecosystemId }, query } })),
  )
}

type EcosystemBody = Schemas['EcosystemRequest'] & { integrations: Schemas['NewIntegration'][] }

/** Changes an ecosystem as it is now, and not as it was when it was shown. Sends the whole of it. */
export async function changeEcosystem(
  ecosystemId: string,
  change: (body: EcosystemBody) => EcosystemBody,
): Promise<Answered<Ecosystem>> {
  const params = { path: { ecosystemId } }
  const now = await ask(api.GET('/v1/ecosystems/{ecosystemId}', { params }))
  if (now.problem) return now
  const { name, integrations } = now.data
  const known = integrations.map(({ format, url, enabled, trustAnchors = [] }) => ({
    ...{ format, url, enabled, trustAnchors },
  }))
  return ask(api.PUT('/v1/ecosystems/{ecosystemId}', { params, body: change({ name, integrations: known }) }))
}

/** What is not there is no problem here: null. */
export function orNull<Data>(answered: Answered<Data>): Answered<Data | null> {
  return answered.problem?.kind === 'missing' ? { data: null } : answered
}

/** Of several that were asked at once: the first problem, or all that they have. */
export function together<All extends object>(
  answered: {
    [Name in keyof All]: Answered<All[Name]>
  },
): Answered<All> {
  const entries = Object.entries(answered) as [string, Answered<unknown>][]
  const failed = entries.find(([, { problem }]) => problem)?.[1].problem
  if (failed) return { problem: failed }
  // Boundary: none of them has a problem, so that each has its data.
  return { data: Object.fromEntries(entries.map(([name, { data }]) => [name, data])) as All }
}
