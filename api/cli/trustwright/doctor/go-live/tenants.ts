import { type ApiClient, type components, dataOf, TrustwrightError } from '../../../../../shared/client/client.ts'
import { type DoctorCheck, type DoctorFinding, failedCheck, notChecked, passedCheck, warnedCheck } from '../finding.ts'
import type { GoLive } from './go-live.ts'

const dayMs = 86_400_000
const warnedDays = 365
const failedDays = 30

type Tenant = components['schemas']['Tenant']

/** Returns the tenants. Undefined for a client that is not of the platform. */
export async function findTenants(client: ApiClient): Promise<Tenant[] | undefined> {
  const tenants: Tenant[] = []
  try {
    for (let cursor: string | undefined; ; ) {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
      const { data, nextCursor } = await dataOf(client.GET('/v1/tenants', { params: { query } }))
      tenants.push(...data)
      if (!nextCursor) return tenants
      cursor = nextCursor
    }
  } catch (error) {
    if (error instanceof TrustwrightError && [403, 404].includes(error.status)) return undefined
    throw error
  }
}

/** Checks that a root signs for each profile that has one, and for how long. */
export async function checkRoots({ client }: GoLive) {
  const roots = await readRoots(client)
  if (!roots) return notChecked('the client may not read the roots of a tenant. Use a profile of the tenant.')
  const signing = roots.filter(({ iacaId }) => iacaId !== undefined)
  if (signing.length === 0)
    return failedCheck('No root signs mobile credentials and SD-JWT VCs. Run "trustwright certificates create-root"')
  return signing.map(({ commonName, profile, until }) => {
    if (until === undefined) return passedCheck(`The root ${commonName} signs ${profile} credentials`)
    const days = Math.floor((Date.parse(until) - Date.now()) / dayMs)
    const message = `The root ${commonName} signs ${profile} credentials for ${days} days more`
    if (days < failedDays) return failedCheck(message)
    return days < warnedDays ? warnedCheck(message) : passedCheck(message)
  })
}

async function readRoots(client: ApiClient) {
  try {
    return (await dataOf(client.GET('/v1/overview/signing-roots'))).data
  } catch (error) {
    if (error instanceof TrustwrightError && [403, 404].includes(error.status)) return undefined
    throw error
  }
}

/** Checks that no tenant of a first start and of a load test is left. */
export async function checkDemoTenant({ client }: GoLive): ReturnType<DoctorCheck['run']> {
  const tenants = await findTenants(client)
  if (!tenants) return notChecked('the client is not of the platform. Use a profile of the platform.')
  const advice = (id: string) => `Delete it: trustwright api DELETE /v1/tenants/${id}`
  const findings = tenants.flatMap(({ id, name, subdomain, baseUrl }): Omit<DoctorFinding, 'check'>[] => {
    if (name === 'Demo' || /^demo(-\d+)?$/.test(subdomain))
      return [failedCheck(`The demo tenant ${baseUrl} exists, and admits wallets without registration. ${advice(id)}`)]
    return subdomain.startsWith('load-') ? [warnedCheck(`${baseUrl} is left of a load test. ${advice(id)}`)] : []
  })
  return findings.length > 0 ? findings : passedCheck('No tenant is a demo or left of a load test')
}
