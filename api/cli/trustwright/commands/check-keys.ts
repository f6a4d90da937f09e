import { createInterface } from 'node:readline/promises'
import { type ApiClient, type components, dataOf, TrustwrightError } from '../../../../shared/client/client.ts'
import { type Command, type CommandCall, textOf, UsageError } from '../command.ts'
import { countOf } from '../count-of.ts'
import { comparisonFindings, providerFindings } from '../doctor/key-checks.ts'

type Comparison = components['schemas']['KeyComparison']

export const checkKeysCommand: Command = {
  name: 'keys check',
  usage: '',
  summary: 'Check whether the providers of private keys answer, and compare their keys with those of the service',
  details: [
    'A client of the platform compares the keys of all tenants. Other clients see the providers only.',
    'A missing private key is an error: signatures with it fail. The exit code is 1 then.',
    'An unused private key is left of an interrupted creation. It has been without a key of a tenant for an hour.',
  ],
  options: {
    'destroy-unused': { type: 'string', value: 'PROVIDER', help: 'Destroy the unused private keys of this provider' },
    confirm: { type: 'string', value: 'TEXT', help: 'The text that --destroy-unused asks for, for scripts' },
  },
  examples: ['trustwright keys check', 'trustwright keys check --profile platform --destroy-unused pkcs11'],
  async run(call) {
    const client = await call.client()
    const providers = await dataOf(client.GET('/v1/keys/providers'))
    const comparisons = await compare(client)
    const findings = [...providerFindings(providers.data), ...comparisonFindings(comparisons ?? [])]
    const notCompared = comparisons ? [] : ['The keys were not compared: the client is not of the platform']
    const lines = [...findings.map(({ status, message }) => `${status.padEnd(7)}  ${message}`), ...notCompared]
    call.print({ providers: providers.data, ...(comparisons && { comparisons }) }, lines.join('\n'))
    const provider = textOf(call, 'destroy-unused')
    if (provider !== undefined) await destroyUnused(call, client, provider, comparisons)
    return findings.some(({ status }) => status === 'error') ? 1 : 0
  },
}

/** Returns undefined for a client that is not of the platform. */
async function compare(client: ApiClient): Promise<Comparison[] | undefined> {
  try {
    return (await dataOf(client.POST('/v1/keys/comparisons'))).data
  } catch (error) {
    if (error instanceof TrustwrightError && [403, 404].includes(error.status)) return undefined
    throw error
  }
}

async function destroyUnused(
  call: CommandCall,
  client: ApiClient,
  provider: string,
  comparisons: Comparison[] | undefined,
): Promise<void> {
  if (!comparisons) throw new UsageError('--destroy-unused needs a client of the platform.')
  const comparison = comparisons.find((each) => each.provider === provider)
  if (!comparison) throw new UsageError(`No signing process has the provider ${provider}.`)
  const { count } = comparison.unused
  if (count === 0) return call.print({ destroyed: 0 }, `${provider} has no unused private keys`)
  await requireConfirmation(call, `destroy ${countOf(count, 'key')} of ${provider}`)
  let destroyed = 0
  for (;;) {
    const result = await dataOf(client.POST('/v1/keys/unused/destroy', { body: { provider } }))
    destroyed += result.destroyed
    if (result.left > 0 && result.destroyed > 0) continue
    const refused = result.refused > 0 ? `. The provider refused ${result.refused}` : ''
    return call.print(
      { destroyed, refused: result.refused },
      `Destroyed ${countOf(destroyed, 'private key')}${refused}`,
    )
  }
}

async function requireConfirmation(call: CommandCall, expected: string): Promise<void> {
  const text = textOf(call, 'confirm') ?? (await ask(call, expected))
  if (text !== expected) throw new UsageError(`Nothing was destroyed. Confirm with the text "${expected}".`)
}

async function ask({ terminal: { stdin, stderr } }: CommandCall, expected: string): Promise<string | undefined> {
  if (!stdin?.isTTY) return undefined
  const question = createInterface({ input: stdin, output: stderr })
  try {
    return await question.question(`Destroyed private keys cannot be restored. Type "${expected}": `)
  } finally {
    question.close()
  }
}
