import { type ApiClient, dataOf } from '../../../../shared/client/client.ts'
import { UsageError } from '../command.ts'
import { fetchFrom } from '../fetch-from.ts'
import { checkDns, checkTls, timeoutMs } from './connection-checks.ts'
import { type DoctorCheck, failedCheck, passedCheck, warnedCheck } from './finding.ts'
import { permitted } from './tenant-checks.ts'

/** Returns the URL of the host of `--new-host`, with the scheme of the present base URL. */
export function urlOfNewHost(baseUrl: string, newHost: string): URL {
  const { protocol } = new URL(baseUrl)
  const url = URL.parse(`${protocol}//${newHost}`)
  if (url && url.href === `${protocol}//${newHost.toLowerCase()}/`) return url
  throw new UsageError('--new-host must be a host, with the port if there is one, such as university.example.org')
}

/** The checks of a new host of the tenant, and of what keeps the present one in use. */
export function newHostChecks(client: ApiClient, baseUrl: string, newUrl: URL): DoctorCheck[] {
  return [
    { name: 'new dns', run: () => checkDns(newUrl) },
    { name: 'new tls', run: () => checkTls(newUrl) },
    { name: 'new host', run: () => checkNewHost(new URL(baseUrl), newUrl) },
    { name: 'old host', run: permitted(() => checkOldHost(client, new URL(baseUrl))) },
  ]
}

async function checkNewHost(url: URL, newUrl: URL) {
  const [issuer, newIssuer] = [await readIssuer(url), await readIssuer(newUrl)]
  if (newIssuer === undefined)
    return failedCheck(`${newUrl.host} is no host of a tenant. An operator of the platform adds it to the aliases.`)
  if (newIssuer !== issuer)
    return failedCheck(`${newUrl.host} is a host of another tenant, whose issuer identifier is ${newIssuer}.`)
  return passedCheck(`${newUrl.host} serves this tenant. The issuer identifier stays ${issuer}.`)
}

/** Reads the issuer identifier at a host. Undefined if the host is of no tenant. */
async function readIssuer({ origin }: URL): Promise<string | undefined> {
  const response = await fetchFrom(origin, fetch)(`${origin}/.well-known/openid-credential-issuer`, {
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status === 404) return undefined
  if (!response.ok) throw new Error(`${origin} answered ${response.status}. Try again.`)
  // Boundary: another program can answer at the new host.
  const { credential_issuer: issuer } = (await response.json()) as { credential_issuer?: string }
  return issuer
}

const uncounted = 'Open claim links are not counted: see trustwright bulk show'

async function checkOldHost(client: ApiClient, { host }: URL) {
  const counts = await dataOf(client.GET('/v1/overview/counts'))
  const uses = [
    { of: counts.credentials, text: 'Collected credentials' },
    { of: counts.signedCredentials, text: 'Directly signed credentials' },
    { of: counts.usableOffers, text: 'Open offers' },
  ]
  const findings = uses.flatMap(({ of, text }) =>
    of && of.count > 0
      ? [warnedCheck(`${text} that name ${host}, so that it must stay: ${of.count}${of.isAtLeast ? ' or more' : ''}`)]
      : [],
  )
  return findings.length > 0 ? findings : passedCheck(`No credential and no open offer needs ${host}. ${uncounted}`)
}
