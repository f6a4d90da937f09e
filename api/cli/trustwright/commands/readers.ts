import { type components, dataOf } from '../../../../shared/client/client.ts'
import { walletFamilies } from '../../../../shared/domain/issuance/wallet-families.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, choiceOf, textOf } from '../command.ts'
import { getNamedView } from './views.ts'

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
    view: { type: 'string', value: 'VIEW', help: 'Whether they can read this view: its id, path or name' },
  },
  examples: [
    'trustwright readers list',
    'trustwright readers list --family eudi-ios',
    'trustwright readers list --family eudi-ios --view ios',
  ],
  async run(call) {
    const family = choiceOf(call, 'family', walletFamilies)
    const client = await call.client()
    const named = textOf(call, 'view')
    const view = named === undefined ? undefined : await getNamedView(client, named)
    const { families, views } = await dataOf(client.GET('/v1/openid/configuration/readers'))
    const ofView = views.find(({ id }) => id === view?.id)
    const readers = (ofView?.families ?? families).filter((each) => family === undefined || each.family === family)
    for (const reader of readers) call.print(reader, linesOf(reader))
    return family !== undefined && readers.some(({ canRead }) => !canRead) ? 1 : 0
  },
}

function linesOf({ family, name, version, canRead, findings }: Reader): string {
  const head = `${family.padEnd(12)}  ${canRead ? 'reads' : 'cannot read'}  ${name} ${version.slice(0, 20)}`
  const lines = findings.map(({ message, fix }) => terminalText(`  - ${message} ${fix}`))
  return [head, ...lines].join('\n')
}
