import { parseOrigin } from '../../profiles.ts'
import { timeoutMs } from '../connection-checks.ts'
import { failedCheck, notChecked, passedCheck, warnedCheck } from '../finding.ts'
import { alertNames } from './alert-names.ts'
import type { GoLive } from './go-live.ts'

interface Rule {
  name: string
  type: string
  state?: string
}

/** Checks that a Prometheus has the alerts of the service, and sends them to an Alertmanager. */
export async function checkAlarms({ prometheus }: GoLive) {
  if (prometheus === undefined) return notChecked('give the Prometheus that scrapes the service: --prometheus URL.')
  const base = `${parseOrigin(prometheus, '--prometheus')}${new URL(prometheus).pathname.replace(/\/$/, '')}`
  const { groups } = await read<{ groups: { rules: Rule[] }[] }>(`${base}/api/v1/rules?type=alert`)
  const rules = groups.flatMap((group) => group.rules)
  const missing = alertNames.filter((name) => !rules.some((rule) => rule.name === name))
  const firing = rules.filter(({ name, state }) => state === 'firing' && name.startsWith('Trustwright'))
  const { activeAlertmanagers } = await read<{ activeAlertmanagers: unknown[] }>(`${base}/api/v1/alertmanagers`)
  const findings = [
    ...(missing.length > 0
      ? [failedCheck(`Prometheus lacks ${missing.join(', ')}. Load docs/deploy/prometheus/alerts.yaml`)]
      : []),
    ...(activeAlertmanagers.length === 0 ? [failedCheck('Prometheus sends alarms to no Alertmanager')] : []),
    ...firing.map(({ name }) => warnedCheck(`The alarm ${name} fires now`)),
  ]
  const count = alertNames.length
  return findings.length > 0
    ? findings
    : passedCheck(`Prometheus has ${count} alarms, and sends them to an Alertmanager`)
}

/** Reads an answer of the HTTP API of Prometheus. */
async function read<Data>(url: string): Promise<Data> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}. Check --prometheus`)
  // Boundary: the HTTP API of Prometheus, version 1.
  return ((await response.json()) as { data: Data }).data
}
