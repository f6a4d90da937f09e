import { existsSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { dataOf } from '../../../../shared/client/client.ts'
import { type Command, type CommandCall, textOf, UsageError } from '../command.ts'
import { countOf } from '../count-of.ts'
import { applyPlan, checkApproval } from '../files/apply-plan.ts'
import { type Bundle, fileOptions, planOptions, readBundle, readCommandFiles, withFaults } from '../files/bundle.ts'
import { refuseFaults } from '../files/faults.ts'
import { writeFolder } from '../files/folder.ts'
import { describePlan, type PlanResponse } from '../files/plan-text.ts'
import { readText } from '../files/read-text.ts'

const folderOption = { folder: fileOptions.folder }
const secretsDetails = ['Secrets are environment variables with the names that the files have.']

export const initConfig: Command = {
  name: 'config init',
  usage: '',
  summary: 'Begin a folder of configuration files: the settings of the tenant, and schemas for editors',
  options: folderOption,
  examples: ['trustwright config init --folder tenant'],
  run: (call) => exportTo(call, (path) => path === 'tenant'),
}

export const exportConfig: Command = {
  name: 'config export',
  usage: '',
  summary: 'Write the configuration of the tenant as files, without secrets',
  options: folderOption,
  examples: ['trustwright config export --folder tenant'],
  run: (call) => exportTo(call, () => true),
}

async function exportTo(call: CommandCall, isWanted: (path: string) => boolean): Promise<undefined> {
  const folder = textOf(call, 'folder') ?? '.'
  if (existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith('.')))
    throw new UsageError(`${folder} is not empty. Choose another folder with --folder.`)
  const client = await call.client()
  const { objects } = await dataOf(client.GET('/v1/configuration'))
  const { schemas } = await dataOf(client.GET('/v1/configuration/schemas'))
  const selection = Object.fromEntries(Object.entries(objects).filter(([path]) => isWanted(path)))
  const files = writeFolder(folder, selection, schemas)
  call.print({ folder, files }, `${countOf(files.length, 'file')} in ${folder}`)
}

export const configSchema: Command = {
  name: 'config schema',
  usage: '',
  summary: 'Print the JSON Schemas of the files, or write them into a folder for editors',
  options: folderOption,
  examples: ['trustwright config schema', 'trustwright config schema --folder tenant'],
  async run(call) {
    const { schemas } = await dataOf((await call.client()).GET('/v1/configuration/schemas'))
    const folder = textOf(call, 'folder')
    if (folder === undefined) call.print(schemas, JSON.stringify(schemas, null, 2))
    else writeFolder(folder, {}, schemas)
    return undefined
  },
}

export const validateConfig: Command = {
  name: 'config validate',
  usage: '',
  summary: 'Check the form of the files without the service: JSON, paths and references',
  options: folderOption,
  details: ['The service checks all members: "trustwright config plan".'],
  examples: ['trustwright config validate --folder tenant'],
  async run(call) {
    const { files, faults } = readCommandFiles(call)
    refuseFaults(faults)
    call.print({ files: files.size }, `The form of ${countOf(files.size, 'file')} is right`)
    return undefined
  },
}

export const planConfig: Command = {
  name: 'config plan',
  usage: '',
  summary: 'Show the changes that make the tenant equal to its files',
  options: planOptions,
  details: [
    ...secretsDetails,
    'The exit code is 0 if there is nothing to do, 2 if there are changes, 1 after an error.',
  ],
  examples: [
    'trustwright config plan --folder tenant --var HOST=test.example.org',
    'trustwright config plan --json > plan.json',
  ],
  run: (call) => showPlan(call),
}

export const driftConfig: Command = {
  name: 'config drift',
  usage: '',
  summary: 'Show what differs from the files, also objects that files made and that have no file any more',
  options: fileOptions,
  details: [...secretsDetails, 'The exit code is 0 if nothing differs, 2 if something does, 1 after an error.'],
  examples: ['trustwright config drift --folder tenant'],
  run: (call) => showPlan(call, { prune: true, allowDestroy: true }),
}

export const applyConfig: Command = {
  name: 'config apply',
  usage: '',
  summary: 'Make the tenant equal to its files',
  options: {
    ...planOptions,
    plan: {
      type: 'string',
      value: 'FILE',
      help: 'The output of "config plan --json". Refused if files or tenant changed since',
    },
    yes: { type: 'boolean', short: 'y', help: 'Do not ask' },
    approval: { type: 'string', value: 'ID', help: 'The approval of another person for this plan' },
    wait: { type: 'boolean', help: 'Wait until another person has approved the plan, if it needs an approval' },
  },
  details: [
    ...secretsDetails,
    'Without --yes, it shows the changes and asks.',
    'The exit code is 1 if the plan waits for an approval. --plan with --approval also continues an apply that was interrupted.',
  ],
  examples: [
    'trustwright config apply --folder tenant',
    'trustwright config apply --plan plan.json --yes',
    'trustwright config apply --plan plan.json --yes --wait',
  ],
  async run(call) {
    const read = readBundle(call)
    const file = textOf(call, 'plan')
    const now = await requestPlan(call, read)
    const plan = file === undefined ? now : readPlan(file)
    if (plan.digest !== now.digest)
      throw new UsageError(
        `The files, variables, secrets, options or tenant are not those of ${file}. Make a new plan.`,
      )
    if (plan.changes.length > 0 && call.values.yes !== true && !(await isConfirmed(call, plan))) return 1
    await checkApproval(call, plan)
    const left = new Set(now.changes.map(({ path }) => path))
    const made = textOf(call, 'approval') === undefined ? [] : plan.changes.filter(({ path }) => !left.has(path))
    const paths = made.map(({ path }) => path)
    const applied = await withFaults(read, () => applyPlan(call, read.bundle, plan, paths))
    if (!applied) return 1
    const { length } = applied.changes
    const result = length === 0 ? 'There was nothing to change' : `Made ${countOf(length, 'change')}`
    const pending = applied.pending.map((path) => `The keys of ${path} are being created`)
    call.print(applied, [result, ...pending].join('\n'))
    return 0
  },
}

/** Prints a plan. Returns 2 if it has changes. */
async function showPlan(call: CommandCall, options: Partial<Bundle> = {}): Promise<number> {
  const plan = await requestPlan(call, readBundle(call), options)
  call.print(plan, describePlan(plan))
  return plan.changes.length === 0 ? 0 : 2
}

async function requestPlan(
  call: CommandCall,
  read: ReturnType<typeof readBundle>,
  options: Partial<Bundle> = {},
): Promise<PlanResponse> {
  const body = { ...read.bundle, ...options }
  return withFaults(read, async () => dataOf((await call.client()).POST('/v1/configuration/plan', { body })))
}

function readPlan(file: string): PlanResponse {
  const text = readText(file)
  try {
    const plan: PlanResponse = JSON.parse(text)
    if (typeof plan.basedOn === 'object' && typeof plan.digest === 'string' && Array.isArray(plan.changes)) return plan
  } catch {
    // The text is not JSON.
  }
  throw new UsageError(`${file} is not the output of "trustwright config plan --json"`)
}

async function isConfirmed({ terminal }: CommandCall, plan: PlanResponse): Promise<boolean> {
  const { stdin, stdout, stderr } = terminal
  stderr.write(`${describePlan(plan)}\n`)
  if (!stdin.isTTY) throw new UsageError('Add --yes to make these changes without a question')
  const question = createInterface({ input: stdin, output: stdout })
  try {
    return /^y(es)?$/i.test(await question.question('Make these changes? [y/N] '))
  } finally {
    question.close()
  }
}
