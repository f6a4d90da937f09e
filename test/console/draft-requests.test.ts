import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { tokenOf } from '../harness/harness.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

const run = promisify(execFile)

/** How the commands other than curl run. A machine without Python does not run its command. */
const hasPython = spawnSync('python3', ['--version']).status === 0
const programs: [language: string, ...string[]][] = [
  ['Node.js', process.execPath, '--input-type=module', '-e'],
  ...(hasPython ? [['Python', 'python3', '-c'] as [string, ...string[]]] : []),
]

/** The command for what the form sends, which is the first one. */
async function commandOf(page: Page): Promise<string> {
  const first = page.locator('.shell li', { hasText: 'This form sends' })
  if ((await page.locator('.shell[open]').count()) === 0) await page.getByText('The same from a shell').click()
  return (await first.locator('code').textContent()) ?? ''
}

describe('the request of a form', { tags: 'chromium' }, () => {
  let opened: Console
  let token: string
  beforeAll(async () => {
    opened = await startConsole()
    const { origin, host, clientId, clientSecret } = opened.service
    token = await tokenOf(origin, host, clientId, clientSecret)
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })
  const inShell = async (command: string) =>
    JSON.parse((await run('sh', ['-c', command], { env: { ...process.env, TOKEN: token } })).stdout)

  test('is shown as a command before it is sent, and the command makes the same offer', async () => {
    const { service, open, faults } = opened
    const claimMappings = {
      given_name: { mapFrom: 'claims.given_name' },
      postal_code: { mapFrom: 'claims.postal_code' },
    }
    await compactConfiguration(service, { display: [{ name: 'Course certificate' }], claimMappings })
    const page = await open('/offers/new')
    const writes: string[] = []
    page.on('request', (request) => request.method() === 'POST' && writes.push(request.url()))
    await page.getByLabel('Course certificate').check()
    expect(await commandOf(page)).toContain('/v1/openid/offers/pre-authorized')
    await page.getByRole('textbox', { name: 'given_name' }).fill(`Zoë "O'Neil" $HOME`)
    // The names of some claims end like those of secrets.
    await page.getByRole('textbox', { name: 'postal_code' }).fill('SW1A 1AA')
    const label = `Counter 9 “Zoë's” "$HOME" \\n \`id\` 🎓`
    await page.getByLabel('Label').fill(label)
    await page.locator('.shell code', { hasText: 'Counter 9' }).waitFor()
    const command = await commandOf(page)
    expect(command).toContain('"postal_code":"SW1A 1AA"')
    const others: string[][] = []
    for (const [language, ...words] of programs) {
      await page.getByLabel('Command for').selectOption(language)
      others.push([...words, await commandOf(page)])
    }
    await checkInBothLanguages(page, 'draft-request')
    const made = await inShell(command)
    const { body } = await service.operator.get(`/v1/openid/offers/${made.id}/details`)
    expect(body).toMatchObject({ kind: 'pre-authorized', label })
    for (const [program = '', ...words] of others) {
      const { stdout } = await run(program, words, { env: { ...process.env, TOKEN: token } })
      const { id } = JSON.parse(stdout.slice(stdout.indexOf('{')))
      const { body: same } = await service.operator.get(`/v1/openid/offers/${id}/details`)
      expect(same).toMatchObject({ kind: 'pre-authorized', label })
    }
    expect(writes).toEqual([])
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    expect(await page.getByText('This form sends').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('changes a configuration as the form would', async () => {
    const { service, open, faults } = opened
    const id = await compactConfiguration(service, { display: [{ name: 'Before' }] })
    const page = await open(`/configurations/compact/${id}`)
    await page.getByLabel('Name', { exact: true }).first().fill('After')
    await page.locator('.json-view textarea').waitFor()
    const command = await commandOf(page)
    expect(command).toContain('-X PUT')
    await inShell(command)
    const { body } = await service.operator.get(`/v2/credentials/compact/configurations/${id}`)
    expect(JSON.stringify(body)).toContain('After')
    expect(faults).toEqual([])
  })
})
