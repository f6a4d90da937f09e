import { type ApiClient, dataOf, TrustwrightError } from '../../../../shared/client/client.ts'
import type { Fetched } from '../../../../shared/client/errors.ts'
import { type DoctorCheck, failedCheck, passedCheck, skippedCheck, warnedCheck } from './finding.ts'
import { checkKeyProviders } from './key-checks.ts'

interface Attention {
  severity: string
}

/** The credentials, what ends when, and the waiting work. */
export function tenantChecks(client: ApiClient): DoctorCheck[] {
  return [
    { name: 'credentials', run: () => checkCredentials(client) },
    { name: 'published', run: permitted(() => checkPublished(client)) },
    {
      name: 'certificates',
      run: permitted(() =>
        attention(
          client.GET('/v1/overview/certificates'),
          'No certificate in use ends within 60 days',
          (each) => `The ${each.kind} ${each.id} ends at ${each.endsAt}`,
        ),
      ),
    },
    {
      name: 'status lists',
      run: permitted(() =>
        attention(
          client.GET('/v1/overview/status-lists'),
          'No status list is late',
          (each) => `The ${each.profile} list ${each.id}: ${each.reason} since ${each.since}`,
        ),
      ),
    },
    {
      name: 'webhooks',
      run: permitted(() =>
        attention(
          client.GET('/v1/overview/webhooks'),
          'No webhook fails',
          (each) => `${each.url} is ${each.reason}${each.since === undefined ? '' : ` since ${each.since}`}`,
        ),
      ),
    },
    {
      name: 'work',
      run: permitted(() =>
        attention(
          client.GET('/v1/overview/jobs'),
          'No work is late',
          (each) => `The oldest ${each.work} waits since ${each.since}`,
        ),
      ),
    },
    { name: 'queues', run: permitted(() => checkQueues(client)) },
    { name: 'keys', run: permitted(() => checkKeyProviders(client)) },
  ]
}

async function checkCredentials(client: ApiClient) {
  // Throws an error if the service refuses the id or the secret.
  await client.GET('/v1/overview/jobs')
  return passedCheck('The service accepts the client')
}

/** Returns a check that is skipped if the roles of the client do not permit it, or if it is of another host. */
export function permitted<Result>(run: () => Promise<Result>) {
  return async () => {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof TrustwrightError) || ![403, 404].includes(error.status)) throw error
      return skippedCheck('The roles of the client do not permit this check')
    }
  }
}

async function attention<Item extends Attention>(
  request: Promise<Fetched<{ data: Item[] }>>,
  otherwise: string,
  textOf: (item: Item) => string,
) {
  const { data } = await dataOf(request)
  if (data.length === 0) return [passedCheck(otherwise)]
  return data.map((item) => {
    if (item.severity === 'notice') return passedCheck(textOf(item))
    return item.severity === 'critical' ? failedCheck(textOf(item)) : warnedCheck(textOf(item))
  })
}

async function checkPublished(client: ApiClient) {
  const { data } = await dataOf(client.GET('/v1/overview/validity'))
  if (data.length === 0) return [passedCheck('Nothing is published')]
  return data.map(({ kind, endsAt, secondsLeft }) =>
    secondsLeft < 0
      ? failedCheck(`${kind} ended at ${endsAt}: verifiers refuse it`)
      : passedCheck(`${kind} ends at ${endsAt}`),
  )
}

async function checkQueues(client: ApiClient) {
  const { data, outbox } = await dataOf(client.GET('/v1/overview/queues'))
  return [
    ...data.map(({ queue, waiting, failed, workers }) => {
      const text = `${queue}: ${waiting} waiting, ${failed} failed, ${workers ?? 'unknown'} workers`
      return workers === 0 ? failedCheck(text) : passedCheck(text)
    }),
    passedCheck(`outbox: ${outbox.waiting} waiting`),
  ]
}
