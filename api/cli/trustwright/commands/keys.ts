import { dataOf, itemsOf } from '../../../../shared/client/client.ts'
import { isKeyUseName, keyUseNames } from '../../../../shared/domain/identifiers/key-purposes.ts'
import { type Command, textOf, UsageError } from '../command.ts'
import { checkKeysCommand } from './check-keys.ts'

const listKeys: Command = {
  name: 'keys list',
  usage: '',
  summary: 'List the keys of the tenant, of its DIDs and of its certificates, and where each private key is',
  details: ['The columns are the id, the purpose, the algorithm, the provider, the state and the owner.'],
  options: {
    provider: { type: 'string', value: 'NAME', help: 'Only keys in this provider, such as software or pkcs11' },
  },
  examples: ['trustwright keys list', 'trustwright keys list --provider software --json'],
  async run(call) {
    const provider = textOf(call, 'provider')
    const client = await call.client()
    for await (const key of itemsOf((page) => client.GET('/v1/keys/inventory', { params: { query: page } }))) {
      if (provider !== undefined && key.provider !== provider) continue
      const state = key.retiredAt === null ? 'in use' : `retired ${key.retiredAt}`
      const owner = [key.owner.kind, ...(key.owner.id === undefined ? [] : [key.owner.id])].join(' ')
      const names = [key.id.padEnd(36), key.purpose.padEnd(16), key.algorithm.padEnd(10), key.provider.padEnd(8)]
      call.print(key, [...names, state, owner].join('  '))
    }
    return undefined
  },
}

const rotateKeys: Command = {
  name: 'keys rotate',
  usage: 'PURPOSE',
  summary: 'Replace the keys of a purpose. New keys are where the policy of the tenant says',
  details: [`The purposes are ${keyUseNames.join(', ')}.`, 'Signatures of the old keys can still be verified.'],
  options: {},
  examples: ['trustwright keys rotate webhooks'],
  async run(call) {
    const [purpose = ''] = call.positionals
    if (!isKeyUseName(purpose)) throw new UsageError(`Give the purpose of the keys: ${keyUseNames.join(', ')}`)
    const client = await call.client()
    const key = await dataOf(client.POST('/v1/keys/{purpose}/rotate', { params: { path: { purpose } } }))
    call.print(key, `The new key is ${key.id}`)
    return undefined
  },
}

export const keyCommands: readonly Command[] = [listKeys, rotateKeys, checkKeysCommand]
