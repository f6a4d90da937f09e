import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import type { Text } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { ecosystemTexts } from './texts.ts'

export type Ecosystem = Schemas['Ecosystem']
export type CredentialType = Schemas['CredentialType']
export type Participant = Schemas['Participant']
export type ParticipantRole = 'issuer' | 'verifier'

/** Returns whether the signed-in user may change ecosystems. All others can only read them. */
export function mayChange(): boolean {
  return can('updateEcosystem')
}

/** Returns whether the signed-in user may change the certificates of ecosystems. */
export function mayChangeCertificates(): boolean {
  return can('updateEcosystemCa')
}

export const profiles: Record<CredentialType['profile'], Text> = {
  mobile: ecosystemTexts.mobile,
  compact: ecosystemTexts.compact,
  'compact-semantic': ecosystemTexts.compactSemantic,
  'web-semantic': ecosystemTexts.webSemantic,
  'sd-jwt': ecosystemTexts.sdJwt,
}

interface Page<Row> {
  data: Row[]
  nextCursor?: string
}

/** The maximum number of pages, of a thousand rows each, that `listAll` reads. */
const maxPages = 10

/** Reads all rows of a list of limited size. */
export async function listAll<Row>(
  page: (at: { limit: number; cursor?: string }) => Promise<Answered<Page<Row>>>,
): Promise<Answered<Row[]>> {
  const data: Row[] = []
  let cursor: string | undefined
  for (let read = 0; read < maxPages; read++) {
    const answered = await page({ limit: 1_000, ...(cursor && { cursor }) })
    if (answered.problem) return answered
    data.push(...answered.data.data)
    cursor = answered.data.nextCursor
    if (!cursor) break
  }
  return { data }
}

export function loadTypes(ecosystemId: string): Promise<Answered<CredentialType[]>> {
  return listAll((query) =>
    callApi(api.GET('/v1/ecosystems/{ecosystemId}/credentials', { params: { path: { ecosystemId }, query } })),
  )
}

type EcosystemBody = Schemas['EcosystemRequest'] & { integrations: Schemas['NewIntegration'][] }

/** Changes the current version of an ecosystem, not the one on the screen. Sends the complete object. */
export async function changeEcosystem(
  ecosystemId: string,
  change: (body: EcosystemBody) => EcosystemBody,
): Promise<Answered<Ecosystem>> {
  const params = { path: { ecosystemId } }
  const now = await callApi(api.GET('/v1/ecosystems/{ecosystemId}', { params }))
  if (now.problem) return now
  const { name, integrations } = now.data
  const sources = integrations.map(({ integrationResult: _result, trustAnchors = [], ...integration }) => ({
    ...integration,
    trustAnchors,
  }))
  return callApi(api.PUT('/v1/ecosystems/{ecosystemId}', { params, body: change({ name, integrations: sources }) }))
}

/** Returns null instead of a problem if the object is missing. */
export function orNull<Data>(answered: Answered<Data>): Answered<Data | null> {
  return answered.problem?.kind === 'missing' ? { data: null } : answered
}

/** Combines concurrent results: returns the first problem, or all data. */
export function together<All extends object>(
  answered: {
    [Name in keyof All]: Answered<All[Name]>
  },
): Answered<All> {
  const entries = Object.entries(answered) as [string, Answered<unknown>][]
  const failed = entries.find(([, { problem }]) => problem)?.[1].problem
  if (failed) return { problem: failed }
  // Boundary: no result has a problem, so each has data.
  return { data: Object.fromEntries(entries.map(([name, { data }]) => [name, data])) as All }
}
