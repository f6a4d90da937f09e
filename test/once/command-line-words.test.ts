import { afterAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { newTerminal } from '../harness/terminal.ts'

const terminal = newTerminal({ default: {} })
afterAll(() => terminal.end())
const trustwright = (...args: string[]) => terminal.run(args)

test('help before a command is the same as --help after it', async () => {
  const help = await trustwright('help', 'offers', 'create')
  expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^trustwright offers create /) })
  expect(await trustwright('offers', 'create', '--help')).toEqual(help)
  expect(await trustwright('--json', 'offers', 'create', '-h')).toEqual(help)
  const group = await trustwright('help', 'bulk')
  expect(group.stdout).toMatch(/^ {2}bulk retry ID /m)
  expect(group.stdout).not.toContain('users import')
  expect(await trustwright('bulk', '--help')).toEqual(group)
  const all = await trustwright()
  expect(all.stdout).toContain('  users import FILE ')
  for (const args of [['help'], ['--help'], ['--profile', 'test'], ['help', '--json']])
    expect(await trustwright(...args)).toEqual(all)
})

test('the version can follow other options', async () => {
  const outcome = { code: 0, stdout: `${manifest.version}\n`, stderr: '' }
  expect(await trustwright('--version')).toEqual(outcome)
  expect(await trustwright('--profile', 'test', '--version')).toEqual(outcome)
})

test.each([
  [['offer', 'create'], 'There is no command "offer create". Did you mean "offers create"?'],
  [['offers', 'craete', '--code'], 'There is no command "offers craete". Did you mean "offers create"?'],
  [['bulk', 'shwo', 'ID'], 'There is no command "bulk shwo ID". Did you mean "bulk show"?'],
  [['logn'], 'There is no command "logn". Did you mean "login"?'],
  [['webhook'], 'There is no command "webhook". Did you mean "webhooks"?'],
  [['help', 'docter'], 'There is no command "docter". Did you mean "doctor"?'],
  [['docter', '--help'], 'There is no command "docter". Did you mean "doctor"?'],
  [['xyz'], 'There is no command "xyz". "trustwright --help" lists the commands.'],
  [
    ['events', 'tail', '--typ', 'X'],
    `Unknown option '--typ'. Did you mean --type? "trustwright events tail --help" shows the options.`,
  ],
  [
    ['events', 'tail', '--profil=test'],
    `Unknown option '--profil'. Did you mean --profile? "trustwright events tail --help" shows the options.`,
  ],
  [
    ['doctor', '--configuration', 'ID'],
    `Unknown option '--configuration'. "trustwright doctor --help" shows the options.`,
  ],
  [
    ['--profil', 'test', 'doctor'],
    "Unknown option '--profil'. Did you mean --profile? Before the command there can be --profile, --json, --help, --version.",
  ],
  [['-q', 'doctor'], "Unknown option '-q'. Before the command there can be --profile, --json, --help, --version."],
])('the words %j are refused with the words that are probably meant', async (args, message) => {
  expect(await trustwright(...args)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
})

test.each([
  [['--profile', 'test', 'doctor']],
  [['--profile=test', '--json', 'doctor']],
  [['doctor', '--profile', 'test']],
])('the profile of %j is used', async (args) => {
  const { code, stderr } = await trustwright(...args)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('has no profile "test", but default') })
})
