import { anyTime, cursor, type Page, type Samples } from './page-calls.ts'

/** Criteria that few, many or nearly all users meet. Two common criteria exclude each other (filling.ts). */
export function searches(at: number, { providerId }: Samples): Page[] {
  const place = () => `cursor=${cursor(anyTime(at))}`.slice('cursor='.length)
  return [
    search('without criteria', () => ({})),
    search('one user', () => claims({ email: `person${number()}@example.com` })),
    search('no user', () => claims({ email: `unknown${number()}@example.com` })),
    search('a thousandth', () => claims({ given_name: `Given ${number() % 997}` })),
    search('a fifth', () => claims(country(number()))),
    search('a fifth, in the middle', () => ({ ...claims(country(number())), cursor: place() })),
    search('all users', () => claims({ address: {} })),
    search('by name at the provider', () => ({ authenticationProvider: { subjectId: `subject ${4 * number() + 1}` } })),
    search('of the provider', () => ({ authenticationProvider: { providerId } })),
    search('two rare', () => claims({ given_name: `Given ${number() % 997}`, birth_date: `day ${number() % 20_011}` })),
    search('a rare and a common', () => claims({ given_name: `Given ${number() % 997}`, ...country(number()) })),
    search('two common', () => claims({ ...country(1), group: 'Group 1' })),
    search('three common', () => ({
      ...claims({ ...country(1), group: 'Group 1' }),
      authenticationProvider: { providerId },
    })),
    // All users of the provider are in Group 1.
    search('two common that exclude each other', () => ({
      ...claims({ group: 'Group 2' }),
      authenticationProvider: { providerId },
      cursor: place(),
    })),
  ]
}

function search(name: string, body: () => object): Page {
  return { name: `search: ${name}`, next: () => ({ method: 'POST', path: '/v1/users/search', body: body() }) }
}

const claims = (claims: object) => ({ claims })
const number = () => Math.floor(Math.random() * 100_000)
const country = (number: number) => ({ address: { country: `Country ${number % 5}` } })
