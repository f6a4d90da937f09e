import { type Answered, api, callApi } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { can } from '../../kit/session.ts'
import { to } from '../../kit/url-state.ts'
import { type Reading, useRead } from '../../kit/use-read.ts'
import { concernTexts as t } from './texts.ts'

export type Severity = 'critical' | 'warning' | 'notice'

/** A concern as text: the issue, its time, its object, and the action with a link. */
export interface Concern {
  key: string
  severity: Severity
  what: string
  at?: string | undefined
  about?: string | undefined
  advice: string
  href: string
  link: string
}

interface Listed<Item> {
  data: Item[]
  hasMore: boolean
}

type ItemOf<Read> = Read extends () => Promise<Answered<Listed<infer Item>>> ? Item : never

const readCertificates = () => callApi(api.GET('/v1/overview/certificates'))
const readLists = () => callApi(api.GET('/v1/overview/status-lists'))
const readWebhooks = () => callApi(api.GET('/v1/overview/webhooks'))
const readJobs = () => callApi(api.GET('/v1/overview/jobs'))
export const readPublications = () => callApi(api.GET('/v1/overview/publications'))
const readIntegrations = () => callApi(api.GET('/v1/overview/integrations'))

const order: readonly Severity[] = ['critical', 'warning', 'notice']

/** Reads all concerns that the roles of the user may read. */
export function useConcerns(): {
  concerns: Concern[]
  hasMore: boolean
  isLoading: boolean
  problems: { key: string; problem: Problem; reload: () => Promise<void> }[]
} {
  const parts = [
    usePart('certificates', can('retrieveEndingCertificates'), readCertificates, ofCertificate),
    usePart('lists', can('retrieveLateStatusLists'), readLists, ofList),
    usePart('webhooks', can('retrieveTroubledWebhooks'), readWebhooks, ofWebhook),
    usePart('jobs', can('retrieveLateJobs'), readJobs, ofJob),
    usePart('publications', can('retrieveTroubledPublications'), readPublications, ofPublication),
    usePart('integrations', can('retrieveFailingIntegrations'), readIntegrations, ofIntegration),
  ]
  const rank = ({ severity }: Concern) => order.indexOf(severity)
  return {
    concerns: parts.flatMap(({ concerns }) => concerns).sort((one, other) => rank(one) - rank(other)),
    hasMore: parts.some(({ hasMore }) => hasMore),
    isLoading: parts.some(({ isFirst }) => isFirst),
    problems: parts.flatMap(({ key, problem, reload }) => (problem ? [{ key, problem, reload }] : [])),
  }
}

const readAgainMs = 60_000

/** Reads one part. Sends no request that the roles do not allow. */
function usePart<Item>(
  key: string,
  isAllowed: boolean,
  read: () => Promise<Answered<Listed<Item>>>,
  concernOf: (item: Item) => Concern,
) {
  const nothing: Listed<Item> = { data: [], hasMore: false }
  const reading: Reading<Listed<Item>> = useRead(isAllowed ? read : async () => ({ data: nothing }), [isAllowed], {
    everyMs: isAllowed ? readAgainMs : undefined,
  })
  const { data = nothing, problem, reload } = reading
  const isFirst = reading.data === undefined && problem === undefined
  return { key, concerns: data.data.map(concernOf), hasMore: data.hasMore, isFirst, problem, reload }
}

function ofCertificate(of: ItemOf<typeof readCertificates>): Concern {
  const { id, kind, severity, endsAt, daysLeft, renewal } = of
  const isLate = renewal === 'late'
  return {
    ...{ key: id, severity, at: endsAt },
    what: say(daysLeft < 0 ? t.ended : t.ends, { what: say(t[kind]) }),
    advice: say(isLate ? t.lateRenewal : t.makeNext),
    href: isLate ? to('/settings', { tab: 'health' }) : pathOf(kind, id),
    link: say(isLate ? t.health : t.certificate),
  }
}

/** The list of requirements says how registrations are replaced. */
function pathOf(kind: ItemOf<typeof readCertificates>['kind'], id: string): string {
  const isRegistration = kind === 'access-certificate' || kind === 'registration-certificate'
  return isRegistration ? to('/access', { tab: 'haip' }) : to(`/certificates/${kind}/${id}`)
}

function ofList({ id, profile, severity, reason, since }: ItemOf<typeof readLists>): Concern {
  return {
    ...{ key: id, severity, at: since, about: `${profile} · ${id}` },
    what: say(t[reason]),
    advice: say(t.checkWorkers),
    href: to('/status-lists'),
    link: say(t.lists),
  }
}

function ofWebhook({ id, url, severity, reason, since, failures }: ItemOf<typeof readWebhooks>): Concern {
  return {
    ...{ key: id, severity, about: url },
    at: reason === 'disabled' ? undefined : since,
    what: say(t[reason], { failures }),
    advice: say(reason === 'disabled' ? t.switchOn : t.seeDeliveries),
    href: to(`/webhooks/${id}`),
    link: say(t.webhook),
  }
}

function ofJob({ queue, work, since, severity }: ItemOf<typeof readJobs>): Concern {
  return {
    ...{ key: work, severity, at: since },
    what: say(t.waits, { what: say(t[work === 'integration' ? 'integrationDue' : work]) }),
    advice: say(t.checkQueue, { queue }),
    href: to('/settings', { tab: 'queues' }),
    link: say(t.queues),
  }
}

export function ofPublication(of: ItemOf<typeof readPublications>): Concern {
  const { ecosystemId, list, reason, severity, since, nextUpdate, failure } = of
  return {
    ...{ key: `${list} ${ecosystemId}`, severity, about: failure },
    at: reason === 'ending' ? nextUpdate : since,
    what: say(t[reason], { list }),
    advice: say(t.publish),
    href: to(`/ecosystems/${ecosystemId}`),
    link: say(t.ecosystem),
  }
}

function ofIntegration(of: ItemOf<typeof readIntegrations>): Concern {
  const { ecosystemId, url, failures, reasons, since, severity } = of
  return {
    ...{ key: [ecosystemId, url, since, failures].join(' '), severity, at: since },
    what: say(since ? t.integration : t.integrationNever, { failures }),
    about: [url, ...reasons].join(' · '),
    advice: say(t.contactPublisher),
    href: to(`/ecosystems/${ecosystemId}`),
    link: say(t.ecosystem),
  }
}
