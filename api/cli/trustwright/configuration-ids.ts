import { type ApiClient, itemsOf, type paths } from '../../../shared/client/client.ts'
import { nearestWord } from '../../../shared/nearest-word.ts'
import { terminalText } from './bulk/terminal-text.ts'
import { type Option, UsageError } from './command.ts'
import { isId } from './is-id.ts'

type Page = paths['/v2/credentials/configurations']['get']['responses'][200]['content']['application/json']
export type ListedConfiguration = Page['data'][number]
type Profile = ListedConfiguration['profile']

/** The option of the commands that make credentials. */
export const configurationsOption: Option = {
  type: 'string',
  short: 'c',
  multiple: true,
  value: 'NAME',
  help: 'The name or the id of a credential configuration. Can be repeated',
}

/** Returns the configurations of a profile, or of all profiles. */
export function configurationsOf(client: ApiClient, profile?: Profile): AsyncGenerator<ListedConfiguration> {
  const filter = profile && { profile }
  return itemsOf((page) => client.GET('/v2/credentials/configurations', { params: { query: { ...filter, ...page } } }))
}

/**
 * Returns the ids of configurations that are given by id, name or type. Throws a `UsageError` if a name is unknown, or if several
 * configurations have it.
 */
export async function configurationIdsOf(client: ApiClient, words: readonly string[]): Promise<string[]> {
  if (words.every(isId)) return [...words]
  const all: ListedConfiguration[] = []
  for await (const configuration of configurationsOf(client)) all.push(configuration)
  return words.map((word) => (isId(word) ? word : idOfName(word, all)))
}

function idOfName(word: string, all: readonly ListedConfiguration[]): string {
  const matches = all.filter(({ name, type }) => name === word || type === word)
  const [first] = matches
  if (first && matches.length === 1) return first.id
  const name = terminalText(word)
  if (matches.length > 1) {
    const lines = matches.map((each) => `  ${lineOfConfiguration(each)}`)
    throw new UsageError(
      `${matches.length} configurations have the name "${name}". Give one of the ids:\n${lines.join('\n')}`,
    )
  }
  const nearest = nearestWord(
    word,
    all.flatMap((each) => [each.name, each.type]),
  )
  const advice = nearest === undefined ? '' : ` Did you mean "${terminalText(nearest)}"?`
  throw new UsageError(
    `No configuration has the name "${name}".${advice} "trustwright configurations list" shows the names and the ids.`,
  )
}

export function lineOfConfiguration({ id, profile, name, type }: ListedConfiguration): string {
  return [id, profile.padEnd(16), terminalText(name), terminalText(type)].join('  ')
}
