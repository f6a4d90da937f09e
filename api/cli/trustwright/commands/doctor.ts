import { type Command, textOf } from '../command.ts'
import type { DoctorCheck, DoctorFinding } from '../doctor/finding.ts'
import { findProfile, profilesFile } from '../profiles.ts'
import { textOfError } from '../text-of-error.ts'

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'Check settings, DNS, TLS, clocks, what ends when, and queues',
  details: ['The exit code is 1 if a check finds an error. Warnings need an action within weeks.'],
  options: {
    'new-host': { type: 'string', value: 'HOST', help: 'Also check what a change to this host of the tenant needs' },
  },
  examples: [
    'trustwright doctor',
    'trustwright doctor --profile production --json',
    'trustwright doctor --new-host university.example.org',
  ],
  async run(call) {
    const { connectionChecks } = await import('../doctor/connection-checks.ts')
    const { tenantChecks } = await import('../doctor/tenant-checks.ts')
    const { env } = call.terminal
    const { baseUrl } = findProfile(env, call.profile)
    const newHost = textOf(call, 'new-host')
    const { newHostChecks, urlOfNewHost } = await import('../doctor/new-host-checks.ts')
    const newUrl = newHost === undefined ? undefined : urlOfNewHost(baseUrl, newHost)
    const client = await call.client({ maxRetryMs: 0 })
    const checks = [...connectionChecks(baseUrl, profilesFile(env)), ...tenantChecks(client)]
    if (newUrl) checks.push(...newHostChecks(client, baseUrl, newUrl))
    const findings: DoctorFinding[] = []
    for (const check of checks) {
      for (const finding of await runCheck(check)) {
        findings.push(finding)
        if (!call.json) call.print(finding, lineOf(finding))
      }
    }
    if (call.json) call.print(findings, '')
    return findings.some(({ status }) => status === 'error') ? 1 : 0
  },
}

async function runCheck({ name, run }: DoctorCheck): Promise<DoctorFinding[]> {
  try {
    return [await run()].flat().map((finding) => ({ check: name, ...finding }))
  } catch (error) {
    return [{ check: name, status: 'error', message: textOfError(error) }]
  }
}

function lineOf({ check, status, message }: DoctorFinding): string {
  return `${status.padEnd(7)}  ${check.padEnd(12)}  ${message}`
}
