import { expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { publishedBy, publishedWithoutEnd } from '../time-machine/publications.ts'

test('each public document has a kind with an end of validity, or a reason why it has no end', () => {
  const isPublic = ({ method, access }: (typeof routes)[number]) => method === 'GET' && access.kind === 'anyone'
  const published = routes.filter(isPublic).map(({ operation }) => operation)
  const listed = [...Object.values(publishedBy).flat(), ...Object.keys(publishedWithoutEnd)]
  expect(listed.toSorted()).toEqual([...new Set(published)].toSorted())
})
