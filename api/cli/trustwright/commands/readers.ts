import { type components, dataOf } from '../../../../shared/client/client.ts'
import { walletFamilies } from '../../../../shared/domain/issuance/wallet-families.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, choiceOf, textOf } from '../command.ts'
import { getNamedView } from './views.ts'

type Reader = components['schemas']['WalletReader']

export const listReaders: Command = {
  name: 'readers list',
  usage: '',
  summary: 'List the wallet families with whether they can read the issuer and its views, and what to change',
  options: {
    family: {
      type: 'string',
      value: 'FAMILY',
      help: 'Only this family. The exit code is 1 if it cannot read the issuer, or the view of --view',
      choices: walletFamilies,
    },
    view: { type: 'string', value: 'VIEW', help: 'Only this view: its id, path or name' },
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
    const chosen = (all: readonly Reader[]) => all.filter((each) => family === undefined || each.family === family)
    const ofView = views.find(({ id }) => id === view?.id)
    const readers = chosen(ofView?.families ?? families)
    for (const reader of readers) call.print(reader, linesOf(reader))
    for (const { id, issuer, families } of view ? [] : views)
      for (const reader of chosen(families)) call.print({ view: id, ...reader }, linesOf(reader, issuer))
    return family !== undefined && readers.some(({ canRead }) => !canRead) ? 1 : 0
  },
}

/** `issuer` is the issuer identifier of a view. */
function linesOf({ family, name, version, canRead, findings }: Reader, issuer?: string): string {
  const of = issuer === undefined ? '' : `${issuer}  `
  const head = `${family.padEnd(12)}  ${canRead ? 'reads' : 'cannot read'}  ${of}${name} ${version.slice(0, 20)}`
  const lines = findings.map(({ message, fix }) => terminalText(`  - ${message} ${fix}`))
  return [head, ...lines].join('\n')
}
