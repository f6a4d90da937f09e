import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockedPackage {
  optional?: boolean
}

// `npm ci` runs with any Node.js. It skips an optional package whose `engines` exclude this Node.js, without an error.
test('npm skips no package that package.json names', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(names.length).toBeGreaterThan(40)
  const skipped = names.filter((name) => {
    const locked = lock.packages[`node_modules/${name}`]
    return locked === undefined || locked.optional
  })
  expect(skipped).toEqual([])
})
