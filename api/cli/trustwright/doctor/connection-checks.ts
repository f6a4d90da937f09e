import { lookup } from 'node:dns/promises'
import { existsSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { fetchFrom } from '../fetch-from.ts'
import { type DoctorCheck, failedCheck, passedCheck, skippedCheck, warnedCheck } from './finding.ts'

const dayMs = 86_400_000
export const timeoutMs = 10_000
const warnedDays = 21

interface Readiness {
  checks?: Record<string, string>
  /** Undefined for a service of an earlier version. */
  queue?: 'database' | 'redis'
  problems?: string[]
}

/** The settings of this machine and the way to the service: settings, DNS, TLS, readiness and clock. */
export function connectionChecks(baseUrl: string, profilesFile: string): DoctorCheck[] {
  const url = new URL(baseUrl)
  return [
    { name: 'settings', run: async () => checkSettings(url, profilesFile) },
    { name: 'dns', run: () => checkDns(url) },
    { name: 'tls', run: () => checkTls(url) },
    { name: 'service', run: () => checkReadiness(url) },
    { name: 'clock', run: () => checkClock(url) },
  ]
}

function checkSettings({ protocol, origin }: URL, file: string) {
  const isReadable = existsSync(file) && (statSync(file).mode & 0o077) !== 0
  if (isReadable) return warnedCheck(`Other users can read ${file}, which has secrets. Run "chmod 600 ${file}".`)
  return protocol === 'https:'
    ? passedCheck(origin)
    : warnedCheck(`${origin} is not https. The secret is sent unencrypted.`)
}

export async function checkDns({ hostname }: URL) {
  const addresses = await lookup(hostOf(hostname), { all: true })
  return passedCheck(`${hostname} is ${addresses.map(({ address }) => address).join(', ')}`)
}

/** Returns the host without the brackets of an IPv6 address. */
const hostOf = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

export async function checkTls({ protocol, hostname, port }: URL) {
  if (protocol !== 'https:') return skippedCheck('The base URL is not https')
  const host = hostOf(hostname)
  const end = await new Promise<number>((resolve, reject) => {
    // RFC 6066, section 3: the name of a server is no address.
    const name = isIP(host) === 0 ? { servername: host } : {}
    const socket = connect({ host, port: Number(port || 443), ...name, timeout: timeoutMs }, () => {
      const { valid_to } = socket.getPeerCertificate()
      socket.end()
      resolve(Date.parse(valid_to))
    })
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error(`No answer within ${timeoutMs / 1000} s`)))
  })
  const days = Math.floor((end - Date.now()) / dayMs)
  const message = `The certificate of ${hostname} ends in ${days} days`
  return days < warnedDays ? warnedCheck(message) : passedCheck(message)
}

async function checkReadiness(url: URL) {
  const { isReady, checks = {}, queue, problems = [] } = await readReadiness(url)
  const unavailable = Object.entries(checks).filter(([, state]) => state !== 'ok')
  if (isReady && problems.length === 0) return passedCheck(`The service is ready${queue ? queueTexts[queue] : ''}`)
  return [
    ...unavailable
      .filter(([name]) => name !== 'redis' || queue !== 'database')
      .map(([name]) => failedCheck(`${name} is unavailable`)),
    ...problems.map((problem) => (isReady ? warnedCheck(problem) : failedCheck(problem))),
  ]
}

const queueTexts = { database: '. Its queues are in the database', redis: '. Its queues are in Redis' }

export async function readReadiness(url: URL): Promise<Readiness & { isReady: boolean }> {
  const response = await fetchFrom(url.origin, fetch)(new URL('/health/ready', url), {
    signal: AbortSignal.timeout(timeoutMs),
  })
  // Boundary: the body of /health/ready. A proxy can answer with something else, which is not JSON.
  return { ...((await response.json()) as Readiness), isReady: response.ok }
}

/** The date of a response has whole seconds. */
export async function checkClock(url: URL) {
  const sentAt = Date.now()
  const response = await fetchFrom(url.origin, fetch)(new URL('/health/live', url), {
    signal: AbortSignal.timeout(timeoutMs),
  })
  const date = Date.parse(response.headers.get('Date') ?? '')
  if (Number.isNaN(date)) return skippedCheck('The response has no date')
  const aheadMs = (sentAt + Date.now()) / 2 - (date + 500)
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds <= 2) return passedCheck('This clock and that of the service agree')
  const message = `This clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the service`
  return seconds > 60 ? failedCheck(message) : warnedCheck(message)
}
