import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { joinService, type TestTenant } from './harness.ts'
import './programs.ts'

export const program = new URL('../../api/cli/trustwright.ts', import.meta.url).pathname

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** The command line `trustwright` for a tenant, with its own file of profiles in a new folder. */
export interface CommandLine {
  dir: string
  config: string
  run(args: string[], options?: { input?: string; env?: Record<string, string> }): Promise<Outcome>
  login(more?: string[], input?: string): Promise<Outcome>
  end(): void
}

export function newCommandLine(tenant: Pick<TestTenant, 'baseUrl' | 'clientId' | 'clientSecret'>): CommandLine {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-cli-'))
  const config = join(dir, 'folder', 'profiles.json')
  const run: CommandLine['run'] = (args, { input = '', env = {} } = {}) =>
    new Promise((resolve) => {
      const options = { env: { ...process.env, TRUSTWRIGHT_CONFIG: config, ...env }, maxBuffer: 100_000_000 }
      const child = execFile(process.execPath, [program, ...args], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
      child.stdin?.on('error', () => undefined) // the command can end before it reads its input
      child.stdin?.end(input)
    })
  return {
    ...{ dir, config, run },
    login: (more = [], input = `${tenant.clientSecret}\n`) =>
      run(['login', '--base-url', tenant.baseUrl, '--client-id', tenant.clientId, ...more], { input }),
    end: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** Joins a shared service, and signs a command line in to its tenant. `end` ends both. */
export async function joinWithCommandLine() {
  const service = await joinService()
  const line = newCommandLine(service)
  expect(await line.login()).toMatchObject({ code: 0 })
  const end = async () => {
    line.end()
    await service[Symbol.asyncDispose]()
  }
  return { service, line, end }
}
