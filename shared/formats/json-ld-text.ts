import { FormatError } from './format-error.ts'

/**
 * Checks that the text of a signed document has the meaning that was signed. A proof covers the statements of a document, and not its
 * text and contexts. A holder can write the same statements with other words, for example with a context that exchanges two words (VC
 * Data Integrity, section 2.4.1). Three rules prevent it. The type must be written as its word, with which credentials/v1 protects the
 * other words. An inline context may map words only to IRIs that end with the word. Members without a statement are refused. Contexts
 * that are named by their URLs are not checked.
 *
 * `besides` is a member that the caller checks itself. Throws `invalid_json_ld`.
 */
export function requireOwnWords(
  { '@context': contexts, proof: _, ...document }: Readonly<Record<string, unknown>>,
  { type, besides }: { type: 'VerifiableCredential' | 'VerifiablePresentation'; besides?: string },
): void {
  if (![document.type].flat().includes(type)) throw refuse(`its type does not contain ${type}`)
  for (const context of [contexts].flat()) if (typeof context !== 'string') checkContextInPlace(context)
  for (const [name, value] of Object.entries(document)) if (name !== besides) checkMember(name, value)
}

function checkContextInPlace(context: unknown): void {
  for (const [word, meaning] of Object.entries(context ?? { null: context })) {
    if (!isOwnName(word, meaning))
      throw refuse('one of its contexts maps a word to another name, or does more than map words to names')
  }
}

/** Whether a word is mapped to an IRI that ends with the word itself. */
function isOwnName(word: string, meaning: unknown): boolean {
  if (word === '@vocab') return isNamespace(meaning)
  if (word === '@version' || word === '@protected') return true
  // Boundary: the definition of a term is an object or the IRI itself.
  const definition =
    typeof meaning === 'object' && meaning !== null ? (meaning as Record<string, unknown>) : { '@id': meaning }
  const { '@id': iri, '@type': type, ...others } = definition
  if (Object.keys(others).length > 0 || !(type === undefined || isCoercion(type))) return false
  return typeof iri === 'string' && iri.endsWith(word) && isNamespace(iri.slice(0, iri.length - word.length))
}

/** Accepts coercion to an identifier or a datatype. Other coercions change how the value is read. */
function isCoercion(type: unknown): boolean {
  return type === '@id' || (typeof type === 'string' && !type.startsWith('@'))
}

function isNamespace(iri: unknown): boolean {
  return typeof iri === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:[^#\s]*[#/]$/.test(iri)
}

/** The keywords that are part of a statement. */
const keywords = ['@id', '@type', '@value', '@language', '@direction', '@list', '@set']

function checkMember(name: string, value: unknown): void {
  if (name.startsWith('@') && !keywords.includes(name))
    throw refuse(`it has the keyword ${name}, which is not part of a statement`)
  checkValue(value)
}

function checkValue(value: unknown): void {
  if (value === null) throw refuse('it has null, which no proof covers')
  if (typeof value !== 'object') return
  if (!Array.isArray(value)) for (const [name, inner] of Object.entries(value)) checkMember(name, inner)
  else if (value.length === 0) throw refuse('it has an empty list, which no proof covers')
  else for (const inner of value) checkValue(inner)
}

function refuse(why: string): FormatError {
  return new FormatError('invalid_json_ld', why)
}
