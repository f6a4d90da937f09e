import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CommandLine, newCommandLine } from '../harness/command-line.ts'
import { eventually } from '../harness/harness.ts'
import { inherited } from '../harness/started.ts'
import { type Console, checkScreen, startConsole } from './console.ts'

describe('the sign-in of the command line by browser', { tags: 'chromium' }, () => {
  let opened: Console
  let line: CommandLine
  beforeAll(async () => {
    opened = await startConsole()
    line = newCommandLine(opened.service)
  })
  afterAll(async () => {
    line?.end()
    await opened?.[Symbol.asyncDispose]()
  })

  /** Starts `trustwright login --browser`. Returns the path of the page that it opens. */
  async function login(): Promise<{ exited: Promise<unknown>; path: string; output(): string }> {
    const args = ['api/cli/trustwright.ts', 'login', '--browser', '--base-url', opened.service.origin]
    const env = { ...inherited(), TRUSTWRIGHT_CONFIG: line.config, BROWSER: 'true' }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const exited = once(child, 'exit')
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part))
    const [path] = await eventually(async () => /(?<=\/console)\/program\?\S+/.exec(text) ?? false)
    return { exited, path, output: () => text }
  }

  test('an operator allows it, and commands then run with a session of the roles of the operator', async () => {
    const { open, faults } = opened
    const { exited, path, output } = await login()
    const page = await open(path, { roles: ['issuer'] })
    await page.getByText('It gets a session of its own').waitFor()
    await checkScreen(page, 'program')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Signed in. You can close this page.').waitFor()
    expect(await exited).toEqual([0, null])
    expect(output()).toContain('Stored a session as the profile "default"')
    expect(statSync(line.config).mode & 0o777).toBe(0o600)

    const who = await line.run(['api', 'GET', '/console/session'])
    expect([who.code, JSON.parse(who.stdout)]).toMatchObject([0, { roles: ['issuer'] }])
    const made = await line.run(['api', 'POST', '/v1/users', '--data', '{"claims": {"given_name": "Ada"}}'])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(await line.run(['config', 'export', '--folder', 'tenant'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('403'),
    })
    const { cookie } = JSON.parse(readFileSync(line.config, 'utf8')).profiles.default
    expect(page.url()).not.toContain(cookie.split('=')[1])
    // A page of another origin was opened: the one of the command line.
    expect(faults.filter((fault) => !fault.startsWith('http://127.0.0.1:'))).toEqual([])
    faults.length = 0
  })

  test('a cancelled sign-in stores nothing, and an address of another program is refused', async () => {
    const { open, faults } = opened
    const before = readFileSync(line.config, 'utf8')
    const { exited, path, output } = await login()
    const page = await open(path, { locale: 'de-DE' })
    await page.getByRole('button', { name: 'Abbrechen' }).click()
    await page.getByText('Not signed in. You can close this page.').waitFor()
    expect(await exited).toEqual([1, null])
    expect(output()).toContain('cancelled')
    expect(readFileSync(line.config, 'utf8')).toBe(before)
    faults.length = 0

    for (const wrong of ['port=80', 'port=4000@evil.example', 'port=70000', 'challenge=short']) {
      const of = new URLSearchParams(path.split('?')[1])
      const [name = '', value = ''] = wrong.split('=')
      of.set(name, value)
      const refused = await open(`/program?${of}`)
      await refused.getByText('This address is not complete.').waitFor()
      expect(await refused.getByRole('button', { name: 'Allow' }).count()).toBe(0)
    }
    expect(faults).toEqual([])
  })
})
