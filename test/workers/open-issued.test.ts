import { expect, test } from 'vitest'
import { sealCredentials } from '../../shared/jobs/answered-credentials.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createOpenIssued } from '../../workers/delivery/sources/open-issued.ts'

test('the credentials of an issuance are opened once for all events of a job, and each issuance has its own', () => {
  const secrets = createSecrets([Buffer.alloc(32, 1)])
  let count = 0
  const open: typeof secrets.open = (...sealed) => {
    count++
    return secrets.open(...sealed)
  }
  const openIssued = createOpenIssued({ ...secrets, open })
  const credentialsOf = (id: string) => [{ id, format: 'dc+sd-jwt', credential: `credential ${id}` }]
  const [one, other] = ['one', 'other'].map((id) => sealCredentials(secrets, id, credentialsOf(id)))
  for (let event = 0; event < 30; event++) expect(openIssued('one', one!)).toEqual(credentialsOf('one'))
  expect(count).toBe(1)
  expect(openIssued('other', other!)).toEqual(credentialsOf('other'))
  expect(count).toBe(2)
  expect(() => createOpenIssued(secrets)('other', one!)).toThrow()
})
