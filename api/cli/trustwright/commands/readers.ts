import { type components, dataOf } from '../../../../shared/client/client.ts'
import { walletFamilies } from '../../../../shared/domain/issuance/wallet-families.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, choiceOf } from '../command.ts'

type Reader = components['schemas']['WalletReader']

export const listReaders: Command = {
  name: 'readers list',
  usage: '',
  summary: 'List the wallet families with whether they can read the issuer, and what to change',
  options: {
    family: {
      type: 'string',
      value: 'FAMILY',
      help: 'Only this family. The exit code is 1 if it cannot read the issuer',
      choices: walletFamilies,
    },
  },
  examples: ['trustwright readers list', 'trustwright readers list --family eudi-ios'],
  async run(call) {
    const family = choiceOf(call, 'family', walletFamilies)
    const { families } = await dataOf((await call.client()).GET('/v1/openid/configuration/readers'))
    const readers = families.filter((each) => family === undefined || each.family === family)
    for (const reader of readers) call.print(reader, textOf(reader))
    return family !== undefined && readers.some(({ canRead }) => !canRead) ? 1 : 0
  },
}

function textOf({ family, name, version, canRead, findings }: Reader): string {
  const head = `${family.padEnd(12)}  ${canRead ? 'reads' : 'cannot read'}  ${name} ${version.slice(0, 20)}`
  const lines = findings.map(({ message, fix }) => terminalText(`  - ${message} ${fix}`))
  return [head, ...lines].join('\n')
}
