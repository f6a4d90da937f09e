import type { Configuration } from '../../kit/configurations.ts'

/** A claim that the configurations read, and the names under which a file can have it. */
export interface Target {
  /** Such as `claims.given_name`. */
  path: string
  label: string
  isRequired: boolean
  names: readonly string[]
}

/** The choice for a file: the columns of the ids, and the claim path of each other column. */
export interface Mapping {
  externalId: string
  userId: string
  /** The path by column. An empty path means that the column is not used. */
  paths: Readonly<Record<string, string>>
  /** The columns whose cells come back in the results. */
  kept: readonly string[]
}

/** Headers in other words, by the claim that they mean. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  givenname: ['firstname', 'forename', 'vorname', 'rufname'],
  familyname: ['lastname', 'surname', 'name', 'nachname', 'familienname', 'zuname'],
  birthdate: ['dateofbirth', 'birthday', 'dob', 'geburtsdatum', 'geburtstag', 'gebdatum'],
  birthplace: ['placeofbirth', 'geburtsort'],
  email: ['mail', 'emailaddress', 'mailadresse', 'emailadresse'],
  phonenumber: ['phone', 'mobile', 'telefon', 'telefonnummer', 'handy'],
  locality: ['city', 'town', 'ort', 'stadt', 'wohnort'],
  streetaddress: ['street', 'strasse', 'straße', 'anschrift'],
  postalcode: ['zip', 'zipcode', 'postcode', 'plz', 'postleitzahl'],
  country: ['land', 'staat'],
  nationality: ['nationalitaet', 'nationalität', 'staatsangehörigkeit'],
}

const idNames = /^(id|nr|no|number|nummer|key|externalid)$|(id|nr|number|nummer|kennung|identifier)$/

/** Returns the claims that the chosen configurations read from the data of a person, the required ones first. */
export function targetsOf(configurations: readonly Configuration[]): Target[] {
  const byPath = new Map<string, Target>()
  for (const configuration of configurations)
    for (const { path, mapping } of configuration.claims) {
      const from = mapping.mapFrom
      if (from === undefined || !/^claims[.[]/.test(from)) continue
      const earlier = byPath.get(from)
      const isRequired =
        (mapping.required === true && mapping.defaultValue === undefined) || earlier?.isRequired === true
      const last = from.split(/[.[\]'"]+/).findLast(Boolean) ?? from
      const own = [
        from,
        from.slice('claims'.length),
        last,
        path.at(-1) ?? '',
        ...(mapping.display ?? []).map(({ name }) => name),
      ]
      byPath.set(from, {
        path: from,
        label: from.replace(/^claims\./, ''),
        isRequired,
        names: [...(earlier?.names ?? []), ...own],
      })
    }
  const all = [...byPath.values()]
  return [...all.filter(({ isRequired }) => isRequired), ...all.filter(({ isRequired }) => !isRequired)]
}

/** Guesses the mapping from the header: equal names first, then other words for them. Each claim has at most one column. */
export function guessMapping(columns: readonly string[], targets: readonly Target[]): Mapping {
  const paths: Record<string, string> = Object.fromEntries(columns.map((column) => [column, '']))
  const taken = new Set<string>()
  for (const isSame of [isNamed, isSynonym])
    for (const column of columns) {
      if (paths[column] !== '') continue
      const free = targets.find((target) => !taken.has(target.path) && isSame(target, plain(column)))
      if (!free) continue
      paths[column] = free.path
      taken.add(free.path)
    }
  const free = columns.filter((column) => paths[column] === '')
  const externalId = [...free, ...columns].find((column) => idNames.test(plain(column))) ?? free[0] ?? columns[0] ?? ''
  return { externalId, userId: '', paths, kept: [] }
}

/** Returns the required claims without a column. */
export function missingTargets(targets: readonly Target[], { paths }: Mapping): Target[] {
  const used = new Set(Object.values(paths))
  return targets.filter(({ path, isRequired }) => isRequired && !used.has(path))
}

const isNamed = ({ names }: Target, column: string) => names.some((name) => plain(name) === column)

const isSynonym = ({ names }: Target, column: string) =>
  names.some((name) => synonyms[plain(name)]?.some((each) => each === column))

/** Letters and digits only, so that “Given name” is `given_name`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
