import { stringsOf } from '/docs/operations.js'

// Swagger UI resolves the references of each operation that a person opens. It prepares the whole document for this, which takes seconds.

/** Returns the document with the value at `path`, the components that it names, and no other operations and components. */
export function partOf({ paths, webhooks, components, ...rest }, [section, name, member]) {
  const operations = { paths, webhooks }[section]
  const own = operations ? { [section]: { [name]: operations[name] } } : {}
  const part = { ...rest, paths: {}, ...own, components: { securitySchemes: components?.securitySchemes ?? {} } }
  const references = referencesIn(own)
  if (section === 'components' && member) references.push(`#/components/${name}/${member}`)
  // Grows by the references of each added component.
  for (const reference of references) {
    const [, , kind, key] = reference.split('/')
    part.components[kind] ??= {}
    if (key in part.components[kind]) continue
    part.components[kind][key] = components[kind][key]
    references.push(...referencesIn(components[kind][key]))
  }
  return part
}

/** The values of `$ref`, and those of the mapping of a discriminator. */
const referencesIn = (value) => [...stringsOf(value)].filter((text) => text.startsWith('#/components/'))
