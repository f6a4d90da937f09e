import type { Quad } from 'rdf-canonize'
import { FormatError } from './format-error.ts'

/**
 * The statements of a web semantic credential. They come from the signed quads and not from the text, because a context can rename
 * terms. A text without the word `credentialStatus` can therefore still state one.
 */
export interface CredentialStatements {
  /** Undefined if the credential has none. */
  id?: string | undefined
  issuer: string
  /** The ids of its subjects. A subject without an id is left out. */
  subjects: string[]
  validFrom: Date
  validUntil?: Date | undefined
  statuses: StatusStatement[]
  /** The status of a revocation list. */
  encodedList?: string | undefined
}

export interface PresentationStatements {
  holder?: string | undefined
}

export interface StatusStatement {
  types: string[]
  index?: string | undefined
  listUrl?: string | undefined
}

const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'
const credential = (term: string) => `https://www.w3.org/2018/credentials#${term}`
const revocation = (term: string) => `https://w3id.org/vc-revocation-list-2020#${term}`
export const revocationStatusType = revocation('RevocationList2020Status')

/** Reads a document with one presentation (W3C data model 1.1, section 4.10). Throws `invalid_json_ld`. */
export function presentationStatements(quads: readonly Quad[]): PresentationStatements {
  const { root, values } = about(quads, 'VerifiablePresentation')
  return { holder: atMostOne(values(root, credential('holder')), 'holder') }
}

/** Reads a document with one credential (W3C data model 1.1, section 4). Throws `invalid_json_ld`. */
export function credentialStatements(quads: readonly Quad[]): CredentialStatements {
  const { root, values } = about(quads, 'VerifiableCredential')
  const one = (term: string) => atMostOne(values(root, term), term)
  const subjects = values(root, credential('credentialSubject'))
  const from = one(credential('issuanceDate'))
  const issuer = one(credential('issuer'))
  if (subjects.length === 0 || issuer === undefined || from === undefined) {
    throw refuse('without a subject, one issuer and one issuanceDate')
  }
  const until = one(credential('expirationDate'))
  return {
    id: idOf(root),
    issuer,
    subjects: subjects.flatMap((subject) => idOf(subject) ?? []),
    validFrom: dateOf(from),
    validUntil: until === undefined ? undefined : dateOf(until),
    statuses: values(root, credential('credentialStatus')).map((status) => ({
      types: values(status, rdfType),
      index: atMostOne(values(status, revocation('revocationListIndex')), 'index'),
      listUrl: atMostOne(values(status, revocation('revocationListCredential')), 'list'),
    })),
    encodedList: atMostOne(
      subjects.flatMap((subject) => values(subject, revocation('encodedList'))),
      'encodedList',
    ),
  }
}

/** Finds the only node of a type in the default graph. Embedded documents are in other graphs. */
function about(quads: readonly Quad[], type: 'VerifiableCredential' | 'VerifiablePresentation') {
  const stated = quads.filter(({ graph }) => graph.termType === 'DefaultGraph')
  const isOne = ({ predicate, object }: Quad) => predicate.value === rdfType && object.value === credential(type)
  const subjects = new Set(stated.filter(isOne).map(({ subject }) => subject.value))
  const [root] = subjects
  if (root === undefined || subjects.size > 1) throw refuse(`not one ${type}`)
  return { root, values: valuesIn(stated) }
}

/** Returns undefined for a blank node, which has no id. */
function idOf(node: string): string | undefined {
  return node.startsWith('_:') ? undefined : node
}

/** Returns a lookup of values by subject and predicate. Its creation takes linear time. */
function valuesIn(quads: readonly Quad[]): (subject: string, predicate: string) => string[] {
  const bySubject = Map.groupBy(quads, ({ subject }) => subject.value)
  return (subject, term) =>
    (bySubject.get(subject) ?? []).filter(({ predicate }) => predicate.value === term).map(({ object }) => object.value)
}

function atMostOne(values: string[], term: string): string | undefined {
  if (values.length > 1) throw refuse(`more than one ${term.slice(term.indexOf('#') + 1)}`)
  return values[0]
}

/** Reads an RFC 3339 date, which has the form of the XML Schema type dateTime with a zone. */
function dateOf(text: string): Date {
  const date = new Date(dateTime.test(text) ? text : Number.NaN)
  if (Number.isNaN(date.getTime())) throw refuse('a date that is not a date and time with a time zone')
  return date
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

function refuse(why: string): FormatError {
  return new FormatError('invalid_json_ld', why)
}
