import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newLinksTenant } from '../harness/bulk-links.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import type { FormEntry } from '../harness/uploads.ts'
import { startSmtpServer } from '../servers/smtp.ts'

const dir = mkdtempSync(join(tmpdir(), 'send-claim-links-'))
let service: SharedService
let results: string
beforeAll(async () => {
  service = await joinService()
  const { upload, inState, download } = await newLinksTenant(service)
  const keep = ['email', 'name', 'language'].map((column): FormEntry => ['keepColumns', column])
  const lines = [
    '1,Ada,ada@example.org,Ada Lovelace,en',
    '2,Bob,bob@example.org,Bob,de',
    '3,Eve,refused@example.org,Eve,',
  ]
  const id = await upload(lines, [...keep, ['transactionCode', 'true']], 'number,given_name,email,name,language')
  await inState(id, 'done')
  results = await download(id, 'application/jsonl')
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

interface Row {
  row: number
  link: string
  transactionCode: string
}
const rowsOf = (text: string): Row[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const from = 'Cards <cards@university.example>'
const always = ['--from', from, '--per-minute', '60000']
let files = 0

/** Starts the program with a new file of results, or with other content. */
function newFile(content = results): string {
  const file = join(dir, `results-${++files}.jsonl`)
  writeFileSync(file, content)
  return file
}

function start(args: string[], url: string) {
  const child = spawn(process.execPath, ['examples/send-claim-links/send.mjs', ...args], { env: { SMTP_URL: url } })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  const ended = once(child, 'close').then(([code]) => ({ code, ...output }))
  return { child, ended }
}
const run = (args: string[], url: string) => start(args, url).ended

describe('examples/send-claim-links', () => {
  test('sends each link once, in the language of its row and without its transaction code', async () => {
    await using server = await startSmtpServer()
    const file = newFile()
    const first = await run([file, ...always], server.url())
    expect(first.stdout).toContain('Sent: 2. Sent before: 0. Not sent: 1. Left: 0.')
    expect([first.code, first.stderr]).toEqual([1, ''])
    const [ada, bob] = rowsOf(results)
    expect(server.mails.map(({ to }) => to)).toEqual(['ada@example.org', 'bob@example.org'])
    for (const [at, row] of [ada, bob].entries()) {
      const content = server.mails[at]?.content.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
      expect(content).toContain(row?.link)
      expect(content).not.toContain(row?.transactionCode)
      expect(content).toMatch(/^From: Cards <cards@university\.example>/m)
    }
    expect(server.mails[0]?.content).toMatch(/Subject: Your card[\s\S]*Hello Ada Lovelace,/)
    expect(server.mails[1]?.content).toContain('Guten Tag Bob,')
    const failures = readFileSync(`${file}.failures.csv`, 'utf8')
    expect(failures).toMatch(/^row,externalId,reason\r\n"3","3",".*unknown mailbox.*"\r\n$/)
    const journal = readFileSync(`${file}.journal`, 'utf8')
    for (const secret of ['/l/', 'example.org', 'Ada']) expect(journal).not.toContain(secret)

    const again = await run([file, ...always], server.url())
    expect(again.stdout).toContain('Sent: 0. Sent before: 2. Not sent: 1.')
    // A corrected address is sent, and a new link of a row too.
    const corrected = results.replace('refused@', 'eve@').replace(/(\/l\/[^"]+)/, '$1x')
    writeFileSync(file, corrected)
    expect(await run([file, ...always], server.url())).toMatchObject({
      code: 0,
      stdout: 'Sent: 2. Sent before: 1. Not sent: 0. Left: 0.\n',
    })
    expect(server.mails.map(({ to }) => to).slice(2)).toEqual(['ada@example.org', 'eve@example.org'])
    expect(existsSync(`${file}.failures.csv`)).toBe(false)
  })

  test('does not send a mail again whose end it does not know after a kill', async () => {
    await using server = await startSmtpServer()
    const file = newFile(results.split('\n').slice(0, 2).join('\n'))
    server.state.isSilent = true
    const { child, ended } = start([file, ...always], server.url())
    await expect.poll(() => server.mails.length).toBe(1)
    // Another run at the same time would send it twice.
    const other = await run([file, ...always], server.url())
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('is sending these mails')])
    child.kill('SIGKILL')
    await ended
    server.state.isSilent = false
    const next = await run([file, ...always], server.url())
    expect(next).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Sent: 1. Sent before: 0. Not sent: 1.'),
    })
    expect(readFileSync(`${file}.failures.csv`, 'utf8')).toContain('not known whether this mail was sent')
    expect(server.mails.map(({ to }) => to)).toEqual(['ada@example.org', 'bob@example.org'])
    expect(await run([file, ...always, '--again'], server.url())).toMatchObject({ code: 0 })
    const [first, , repeated] = server.mails.map(({ content }) => /^Message-ID: (.+)$/im.exec(content)?.[1])
    expect([server.mails.length, repeated]).toEqual([3, first])
  })

  test('sends a test with an example instead of a link, and stops without a sign-in', async () => {
    await using server = await startSmtpServer()
    const file = newFile()
    expect(await run([file, ...always, '--test', 'me@example.org'], server.url())).toMatchObject({ code: 0 })
    expect(server.mails).toMatchObject([{ to: 'me@example.org', content: expect.stringContaining('/l/EXAMPLE') }])
    expect(server.mails[0]?.content).toContain('[Test] Your card')
    expect(existsSync(`${file}.journal`)).toBe(false)
    const refusedTest = await run([file, ...always, '--test', 'me@example.org'], server.url('wrong'))
    expect(refusedTest).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The mail was not sent: [^\n]+\n$/) })
    const refused = await run([file, ...always], server.url('wrong'))
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Stopped at row 1: .+\nSent: 0\. Sent before: 0\. Not sent: 1\. Left: 2\.\n/),
    })
    expect(await run([file, ...always], server.url())).toMatchObject({ stdout: expect.stringContaining('Sent: 2.') })
  })

  const templates = (content: string) => {
    const folder = mkdtempSync(join(dir, 'templates-'))
    writeFileSync(join(folder, 'mail.en.txt'), content)
    return ['--templates', folder]
  }
  test.each([
    ['without --from', () => [newFile()], /--from is required/],
    ['a file that does not exist', () => [join(dir, 'none.jsonl'), ...always], /^There is no file .+none\.jsonl\./],
    [
      'CSV',
      () => [newFile('row,link\r\n1,https://a.example/l/x\r\n'), ...always],
      /must have claim links in JSON Lines/,
    ],
    [
      'a template with the code',
      () => [newFile(), ...always, ...templates('Subject: A\n\n{{link}} {{transactionCode}}\n')],
      /send the transaction code through another channel/,
    ],
    [
      'a template without the link',
      () => [newFile(), ...always, ...templates('Subject: A\n\nHello\n')],
      /must contain/,
    ],
  ])('refuses %s before the first mail', async (_name, args, message) => {
    await using server = await startSmtpServer()
    const { code, stderr } = await run(args(), server.url())
    expect([code === 0, stderr, server.mails]).toEqual([false, expect.stringMatching(message), []])
  })

  test('lists rows without an address or a value of the template', async () => {
    await using server = await startSmtpServer()
    const rows = rowsOf(results).map((row, at) => ({
      ...row,
      ...(at === 0 ? { email: 'a@b.example, c@d.example' } : { name: '' }),
    }))
    const file = newFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    expect(await run([file, ...always], server.url())).toMatchObject({ code: 1 })
    const lines = readFileSync(`${file}.failures.csv`, 'utf8').split('\r\n')
    expect(lines.slice(1, 3)).toEqual([
      '"1","1","The column email has no address"',
      '"2","2","There is no value for name"',
    ])
    expect(server.mails).toEqual([])
  })
})
