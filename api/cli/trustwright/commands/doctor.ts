import type { Command } from '../command.ts'
import type { Check, Finding } from '../doctor/finding.ts'
import { findProfile, profilesFile } from '../profiles.ts'
import { textOfError } from '../text-of-error.ts'

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'Check settings, DNS, TLS, clocks, what ends when, and queues',
  details: ['The exit code is 1 if a check finds an error. Warnings need an action within weeks.'],
  options: {},
  examples: ['trustwright doctor', 'trustwright doctor --profile production --json'],
  async run(running) {
    const { connectionChecks } = await import('../doctor/connection-checks.ts')
    const { tenantChecks } = await import('../doctor/tenant-checks.ts')
    const { env } = running.terminal
    const { baseUrl } = findProfile(env, running.profile)
    const client = await running.client({ maxRetryMs: 0 })
    const checks = [...connectionChecks(baseUrl, profilesFile(env)), ...tenantChecks(client)]
    const findings: Finding[] = []
    for (const check of checks) {
      for (const finding of await runCheck(check)) {
        findings.push(finding)
        if (!running.json) running.print(finding, lineOf(finding))
      }
    }
    if (running.json) running.print(findings, '')
    return findings.some(({ status }) => status === 'error') ? 1 : 0
  },
}

async function runCheck({ name, run }: Check): Promise<Finding[]> {
  try {
    return [await run()].flat().map((finding) => ({ check: name, ...finding }))
  } catch (error) {
    return [{ check: name, status: 'error', message: textOfError(error) }]
  }
}

function lineOf({ check, status, message }: Finding): string {
  return `${status.padEnd(7)}  ${check.padEnd(12)}  ${message}`
}
