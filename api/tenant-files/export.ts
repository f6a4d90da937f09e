import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../shared/formats/json-object.ts'
import { storedContent } from './content.ts'
import { printBody } from './json-schemas.ts'
import type { StoredObject } from './kind.ts'
import { type Content, setAt } from './members.ts'
import { pathsById } from './stored.ts'

/** Returns the content of the files of all objects, by path. Members with their default are left out. */
export function exportFiles(stored: ReadonlyMap<string, StoredObject>): Record<string, Content> {
  const paths = pathsById(stored.values())
  const files = [...Map.groupBy(stored.values(), ({ kind }) => kind)].flatMap(([kind, objects]) => {
    const schemas = kind.bodies.map(printBody)
    return objects.map((object): [string, Content] => [object.path, fileOf(object, schemas, paths)])
  })
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Printed = ReturnType<typeof printBody>

function fileOf(object: StoredObject, schemas: readonly Printed[], paths: ReadonlyMap<string, string>): Content {
  const { kind, path } = object
  const { defaults = {} } = kind
  const content = storedContent(object, paths)
  for (const [name, value] of Object.entries(defaults))
    if (isDeepStrictEqual(content[name], value)) delete content[name]
  const written = withoutDefaults(schemas, content) as Content
  const secretPath = kind.secret?.pathIn(content)
  if (secretPath !== undefined) setAt(written, secretPath, { $secret: secretName(path) })
  return written
}

/** Returns a name for the secret of a file, such as `CLAIM_SOURCES_REGISTER`. */
function secretName(path: string): string {
  return path.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
}

/** A member that several schemas declare must have its value as the default of each. */
function withoutDefaults(schemas: readonly Printed[], value: unknown): unknown {
  const own = schemas.flatMap((schema) => optionFor(schema, value) ?? [])
  if (Array.isArray(value)) {
    const ofItems = own.flatMap(({ items }) => (isSchema(items) ? items : []))
    return value.map((item) => withoutDefaults(ofItems, item))
  }
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    const declared = own.flatMap(({ properties }) => properties?.[name] ?? [])
    const others = own.flatMap(({ additionalProperties }) => additionalProperties ?? [])
    const ofMember = (declared.length > 0 ? declared : others).filter(isSchema)
    const isDefault = ofMember.length > 0 && ofMember.every((schema) => isDeepStrictEqual(schema.default, member))
    return isDefault ? [] : [[name, withoutDefaults(ofMember, member)]]
  })
  return Object.fromEntries(members)
}

function isSchema(schema: unknown): schema is Printed {
  return isJsonObject(schema)
}

/** Returns the option of a union that has the constants of the value. */
function optionFor(schema: Printed, value: unknown): Printed | undefined {
  const options = schema.oneOf ?? schema.anyOf
  if (!options) return schema
  return options.filter(isSchema).find(({ properties = {} }) =>
    Object.entries(properties).every(([name, member]) => {
      const constant = isSchema(member) ? member.const : undefined
      return constant === undefined || (isJsonObject(value) && value[name] === constant)
    }),
  )
}
