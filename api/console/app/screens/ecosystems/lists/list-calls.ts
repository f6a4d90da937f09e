import { type Answered, api, callApi, type Schemas } from '../../../kit/api.ts'
import { listAll, orNull, together } from '../calls.ts'

export type ListKind = 'vical' | 'rical'

export const kindNames: Record<ListKind, string> = { vical: 'VICAL', rical: 'RICAL' }

/** One published list, of either kind. */
export interface Issue {
  number: number
  date: string
  filename: string
  isAutoPublished: boolean
}

export interface Configuration {
  provider: string
  autoPublish: Schemas['AutomaticPublication'] | undefined
  retention: Schemas['ListRetention'] | undefined
}

/** The state of the lists of a kind of an ecosystem. */
export interface ListState {
  configuration: Configuration | null
  /** The newest issue is first. */
  issues: Issue[]
}

export async function loadLists(ecosystemId: string, kind: ListKind): Promise<Answered<ListState>> {
  const [configuration, issues] = await Promise.all([
    loadConfiguration(ecosystemId, kind),
    listIssues(ecosystemId, kind),
  ])
  return together<ListState>({ configuration, issues })
}

async function loadConfiguration(ecosystemId: string, kind: ListKind): Promise<Answered<Configuration | null>> {
  const path = `/v1/ecosystems/{ecosystemId}/${kind}s/configuration` as const
  const { data, problem } = orNull(await callApi(api.GET(path, { params: { path: { ecosystemId } } })))
  if (problem) return { problem }
  const provider = data && ('vicalProvider' in data ? data.vicalProvider : data.ricalProvider)
  return { data: data && { provider: provider ?? '', autoPublish: data.autoPublish, retention: data.retention } }
}

/** Returns the issues with the newest first. Pages have the oldest first. */
async function listIssues(ecosystemId: string, kind: ListKind): Promise<Answered<Issue[]>> {
  const path = `/v1/ecosystems/{ecosystemId}/${kind}s/public` as const
  const rows = await listAll<Schemas['Vical'] | Schemas['Rical']>((query) =>
    callApi(api.GET(path, { params: { path: { ecosystemId }, query } })),
  )
  if (rows.problem) return rows
  return { data: rows.data.map((row) => ({ ...row, number: numberOf(row) })).reverse() }
}

function numberOf(row: Schemas['PublishedVical'] | Schemas['PublishedRical']): number {
  return 'vicalIssueID' in row ? row.vicalIssueID : row.ricalIssueID
}

/** Publishes a list and returns its number. */
export async function publishList(ecosystemId: string, kind: ListKind): Promise<Answered<number>> {
  const path = `/v1/ecosystems/{ecosystemId}/${kind}s` as const
  const answered = await callApi(api.POST(path, { params: { path: { ecosystemId } } }))
  return answered.problem ? answered : { data: numberOf(answered.data) }
}

export async function configureLists(
  ecosystemId: string,
  kind: ListKind,
  body: Record<string, unknown>,
): Promise<Answered<unknown>> {
  // Boundary: the fields of the form have these types.
  const { provider, autoPublish, ...typed } = body as {
    provider: string
    autoPublish: { enabled: boolean; frequency: 'Daily' }
    retention: { keepLast?: number; keepMonthly: boolean }
  }
  const { keepLast, keepMonthly } = typed.retention
  const settings = { autoPublish, ...(keepLast !== undefined && { retention: { keepLast, keepMonthly } }) }
  const params = { path: { ecosystemId } }
  return kind === 'vical'
    ? callApi(
        api.PUT('/v1/ecosystems/{ecosystemId}/vicals/configuration', {
          params,
          body: { vicalProvider: provider, ...settings },
        }),
      )
    : callApi(
        api.PUT('/v1/ecosystems/{ecosystemId}/ricals/configuration', {
          params,
          body: { ricalProvider: provider, ...settings },
        }),
      )
}

export function stopLists(ecosystemId: string, kind: ListKind) {
  const path = `/v1/ecosystems/{ecosystemId}/${kind}s/configuration` as const
  return callApi(api.DELETE(path, { params: { path: { ecosystemId } } }))
}

export function deleteIssue(ecosystemId: string, kind: ListKind, number: number) {
  const issue = String(number)
  return kind === 'vical'
    ? callApi(
        api.DELETE('/v1/ecosystems/{ecosystemId}/vicals/{vicalIssueId}', {
          params: { path: { ecosystemId, vicalIssueId: issue } },
        }),
      )
    : callApi(
        api.DELETE('/v1/ecosystems/{ecosystemId}/ricals/{ricalIssueId}', {
          params: { path: { ecosystemId, ricalIssueId: issue } },
        }),
      )
}

/** Returns the public path of the lists of a kind on this host. */
export function publicPath(ecosystemId: string, kind: ListKind, rest = ''): string {
  return `/v1/ecosystems/${ecosystemId}/${kind}s/public${rest}`
}
