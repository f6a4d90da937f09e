import { hash } from 'node:crypto'
import { SDJwtVcInstance, TypeMetadataFormatSchema } from '@sd-jwt/sd-jwt-vc'
import { expect, test } from 'vitest'
import { claimMetadata, describeClaims } from '../../../../shared/formats/sd-jwt/claim-metadata.ts'
import { pointerText } from '../../../../shared/formats/sd-jwt/claim-pointer.ts'
import { type ClaimTree, resolveTree } from '../../../../shared/formats/sd-jwt/claim-tree.ts'
import { buildTypeMetadata, integrityOf } from '../../../../shared/formats/sd-jwt/type-metadata.ts'
import { randomTree, seededNumbers } from './random-trees.ts'

/** The claims of the example in draft-ietf-oauth-sd-jwt-vc, section "Example Type Metadata". */
const tree = {
  name: {
    required: true,
    display: [
      { name: 'Vor- und Nachname', locale: 'de-DE' },
      { name: 'Name', locale: 'en-US' },
    ],
  },
  address: { members: { street_address: { display: [{ name: 'Street' }] }, '1. city': {} } },
  degrees: {
    each: { members: { field_of_study: { disclose: 'never', required: true }, date_awarded: {} } },
    disclose: 'never',
    discloseEach: 'always',
    display: [{ name: 'Degrees', locale: 'en-US' }],
  },
} as const satisfies ClaimTree

test('type metadata describes each claim and the elements of each array', () => {
  expect(claimMetadata(resolveTree(tree))).toEqual([
    {
      path: ['name'],
      mandatory: true,
      sd: 'always',
      display: [
        { locale: 'de-DE', label: 'Vor- und Nachname' },
        { locale: 'en-US', label: 'Name' },
      ],
    },
    { path: ['address'], mandatory: false, sd: 'always' },
    {
      path: ['address', 'street_address'],
      mandatory: false,
      sd: 'always',
      display: [{ locale: 'und', label: 'Street' }],
    },
    { path: ['address', '1. city'], mandatory: false, sd: 'always' },
    { path: ['degrees'], mandatory: true, sd: 'never', display: [{ locale: 'en-US', label: 'Degrees' }] },
    { path: ['degrees', null], mandatory: true, sd: 'always' },
    { path: ['degrees', null, 'field_of_study'], mandatory: true, sd: 'never' },
    { path: ['degrees', null, 'date_awarded'], mandatory: false, sd: 'always' },
  ])
})

test('ids for SVG templates are unique, and have no characters that a template does not allow', () => {
  const ids = { 'a-b': {}, a_b: {}, '1': { members: { x: {} } }, 'ü.': {}, list: { each: {} } }
  const metadata = claimMetadata(resolveTree(ids), true)
  expect(metadata.map(({ path, svg_id }) => [pointerText(path), svg_id])).toEqual([
    ['1', undefined],
    ['1.x', '_1_x'],
    ['a-b', 'a_b'],
    ['a_b', 'a_b_2'],
    ["['ü.']", '__'],
    ['list', undefined],
    ['list[]', undefined],
  ])
  expect(claimMetadata(resolveTree(tree), true)[2]).toMatchObject({ svg_id: 'address_street_address' })
})

test('the metadata of an issuer describes what wallets show', () => {
  expect(describeClaims(resolveTree(tree))).toEqual([
    { path: ['name'], mandatory: true, display: tree.name.display },
    { path: ['address'], mandatory: false, display: [{ name: 'address' }] },
    { path: ['address', 'street_address'], mandatory: false, display: [{ name: 'Street' }] },
    { path: ['address', '1. city'], mandatory: false, display: [{ name: '1. city' }] },
    { path: ['degrees'], mandatory: true, display: tree.degrees.display },
    { path: ['degrees', null, 'field_of_study'], mandatory: true, display: [{ name: 'field_of_study' }] },
    { path: ['degrees', null, 'date_awarded'], mandatory: false, display: [{ name: 'date_awarded' }] },
  ])
  const shownEach = { list: { each: { display: [{ name: 'Entry' }] } } }
  expect(describeClaims(resolveTree(shownEach)).map(({ path }) => path)).toEqual([['list'], ['list', null]])
})

test('no two descriptions of 500 random trees address the same claim', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const paths = claimMetadata(resolveTree(randomTree(seededNumbers(seed)).tree)).map(({ path }) =>
      JSON.stringify(path),
    )
    expect(new Set(paths).size).toBe(paths.length)
  }
})

const type = {
  vct: 'https://university.example/v2/credentials/sd-jwt/types/1/1',
  name: 'Degree',
  description: 'Of a university',
  extends: { vct: 'https://ministry.example/degree', integrity: 'sha256-x' },
  display: [
    {
      ...{ name: 'Degree', locale: 'en', description: 'Your degree', logoUrl: 'https://university.example/logo.png' },
      ...{ backgroundColor: '#12107c', textColor: '#ffffff' },
    },
    { name: 'Diplom' },
  ],
  rendering: {
    backgroundImageUrl: 'https://university.example/back.png',
    svgTemplates: [
      {
        url: 'https://university.example/card.svg',
        integrity: 'sha256-y',
        orientation: 'portrait',
        colorScheme: 'light',
        contrast: 'high',
      },
      { url: 'https://university.example/plain.svg' },
    ],
  },
} as const

test('the type metadata document has the members of the draft', () => {
  const document = JSON.parse(buildTypeMetadata(type, resolveTree(tree)).toString())
  const svg_templates = [
    {
      uri: 'https://university.example/card.svg',
      'uri#integrity': 'sha256-y',
      properties: { orientation: 'portrait', color_scheme: 'light', contrast: 'high' },
    },
    { uri: 'https://university.example/plain.svg' },
  ]
  const background_image = { uri: 'https://university.example/back.png' }
  expect(document).toEqual({
    vct: type.vct,
    name: 'Degree',
    description: 'Of a university',
    extends: 'https://ministry.example/degree',
    'extends#integrity': 'sha256-x',
    display: [
      {
        locale: 'en',
        name: 'Degree',
        description: 'Your degree',
        rendering: {
          simple: {
            logo: { uri: 'https://university.example/logo.png' },
            background_image,
            background_color: '#12107c',
            text_color: '#ffffff',
          },
          svg_templates,
        },
      },
      { locale: 'und', name: 'Diplom', rendering: { simple: { background_image }, svg_templates } },
    ],
    claims: claimMetadata(resolveTree(tree), true),
  })
})

test('a type with nothing but its name has no empty members', () => {
  expect(buildTypeMetadata({ vct: 'urn:x', display: [{ name: 'X' }] }, resolveTree({})).toString()).toBe(
    '{"vct":"urn:x","display":[{"locale":"und","name":"X"}]}',
  )
})

test('a type without displays has no display', () => {
  expect(buildTypeMetadata({ vct: 'urn:x', display: [] }, resolveTree({})).toString()).toBe('{"vct":"urn:x"}')
})

test('the same type has the same octets, and another tree has others', () => {
  const octets = buildTypeMetadata(type, resolveTree(tree))
  expect(buildTypeMetadata(structuredClone(type), resolveTree(structuredClone(tree)))).toEqual(octets)
  expect(buildTypeMetadata(type, resolveTree(tree, 'never'))).not.toEqual(octets)
})

test('the schema of the library accepts the document', () => {
  const document = JSON.parse(buildTypeMetadata(type, resolveTree(tree)).toString())
  expect(TypeMetadataFormatSchema.safeParse(document).error).toBeUndefined()
})

test('vct#integrity is that of the octets that the library gets', async () => {
  const { extends: _, ...own } = type
  const octets = buildTypeMetadata(own, resolveTree(tree))
  const fetched: string[] = []
  const library = new SDJwtVcInstance({
    hasher: (data, algorithm) => hash(algorithm.replace('-', ''), Buffer.from(data as string), 'buffer'),
    verifier: () => true,
    vctFetcher: async (url, integrity) => {
      fetched.push(url)
      expect(integrity).toBe(`sha256-${hash('sha256', octets, 'base64')}`)
      return JSON.parse(octets.toString())
    },
  })
  const payload = { vct: type.vct, 'vct#integrity': integrityOf(octets), name: 'Ada' }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  await library.getVct(`${part({ alg: 'ES256', typ: 'dc+sd-jwt' })}.${part(payload)}.AA~`)
  expect(fetched).toEqual([type.vct])
})
