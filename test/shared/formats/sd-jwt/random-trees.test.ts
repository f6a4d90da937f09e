import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { type ResolvedNode, resolveTree } from '../../../../shared/formats/sd-jwt/claim-tree.ts'
import { decodeSdJwt } from '../../../../shared/formats/sd-jwt/decode-sd-jwt.ts'
import { joinSdJwt } from '../../../../shared/formats/sd-jwt/encode-claims.ts'
import { encode, unsignedJwt } from './factories.ts'
import { randomTree, seededBytes, seededNumbers } from './random-trees.ts'

const count = 2_000

/** Returns the claims without those that have a disclosure. */
function visiblePart(value: unknown, node: ResolvedNode): unknown {
  if (node.kind === 'object') {
    const members = Object.entries(value as object).filter(([name]) => !node.members.get(name)!.isDisclosable)
    return Object.fromEntries(members.map(([name, item]) => [name, visiblePart(item, node.members.get(name)!)]))
  }
  if (node.kind === 'leaf') return value
  return node.each.isDisclosable ? [] : (value as unknown[]).map((item) => visiblePart(item, node.each))
}

/** Compares with `toEqual` only to report a difference, because it is slow. */
function expectEqual(actual: unknown, expected: unknown, seed: number): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, `seed ${seed}`).toEqual(expected)
}

test(`the claims of ${count} random trees are rebuilt, and the payload contains nothing that is disclosable`, () => {
  const salts = new Set<string>()
  const digests = new Set<string>()
  let disclosed = 0
  for (let seed = 1; seed <= count; seed++) {
    const { tree, claims, disclose } = randomTree(seededNumbers(seed))
    const decoys = { upTo: seed % 4 }
    const { payload, disclosures } = encode(claims, tree, { disclose, decoys, random: seededBytes(seed) })
    expectEqual(decodeSdJwt(joinSdJwt(unsignedJwt(payload), disclosures)).claims, claims, seed)
    const visible = visiblePart(claims, resolveTree(tree, disclose))
    expectEqual(decodeSdJwt(joinSdJwt(unsignedJwt(payload), [])).claims, visible, seed)
    const payloadText = JSON.stringify(payload)
    const visibleText = JSON.stringify(visible)
    const secrets = JSON.stringify(claims).match(/"secret-\d+"/g) ?? []
    const wrong = secrets.filter((secret) => payloadText.includes(secret) !== visibleText.includes(secret))
    expectEqual(wrong, [], seed)
    for (const disclosure of disclosures) {
      salts.add(JSON.parse(Buffer.from(disclosure, 'base64url').toString())[0])
      digests.add(hash('sha256', disclosure, 'base64url'))
    }
    disclosed += disclosures.length
  }
  expect(disclosed).toBeGreaterThan(5 * count)
  expect(salts.size).toBe(disclosed)
  expect(digests.size).toBe(disclosed)
})
