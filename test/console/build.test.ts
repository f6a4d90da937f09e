import { expect, test } from 'vitest'
import { refuseCircles } from '../../api/console/build.ts'

test('a build whose files import each other is refused', () => {
  const built = (imports: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(imports).map(([fileName, of]) => [fileName, { fileName, imports: of }]))
  const files = { first: [], kit: ['first'], offers: ['first', 'kit'] }
  expect(() => refuseCircles(built(files))).not.toThrow()
  const withCircle = { ...files, kit: ['first', 'users'], users: ['offers'] }
  expect(() => refuseCircles(built(withCircle))).toThrow('import each other: kit -> users -> offers -> kit')
})
