import type { RecordedStatement, RecordedTransaction } from './recorded.ts'

/** The types of the parameters of a statement, such as `uuid`, by its text. */
export type ParameterTypes = Map<string, string[]>

/** Ids, hashes and secrets in a value. The x of `\x` before bytes does not belong to them. */
const token = /(?<!\\)[A-Za-z0-9_-]{20,}/g
/** An id that begins with its time, which begins with 01 until 2039. */
const timeOrderedId = /^01[0-9a-f]{6}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const randomDigits = 8
const uniqueDigits = 12
/** Shorter values, such as those of short links, get no random digits, because the rest would not tell them apart. */
const leastLengthWithRandom = 32

/**
 * `random` and `unique` of a replay have exactly `randomDigits` and `uniqueDigits` digits. `unique` grows with time, so that replayed
 * ids enter indexes where ids of the service do. pgbench sets `client_id`; `run` and `replay` come from the command line.
 */
const head = [
  '\\set replay :replay + 1',
  `\\set unique ${10 ** (uniqueDigits - 1)} + (:run * 1000000 + :replay) * 1000 + :client_id`,
  `\\set random random(${10 ** (randomDigits - 1)}, ${10 ** randomDigits - 1})`,
]

/**
 * Writes a script of pgbench that runs the transactions of recorded flows again. Each transaction is one pipeline, the fewest exchanges.
 * Values that only these flows have get other digits in each replay. All other values are constants.
 */
export function replayScript(flows: RecordedTransaction[], others: RecordedTransaction[], types: ParameterTypes) {
  const known = new Set(others.flat().flatMap(tokensOf))
  const own = new Set(
    flows
      .flat()
      .flatMap(tokensOf)
      .filter((each) => !known.has(each)),
  )
  requireDistinct(own)
  return [...head, ...flows.flatMap((each) => pipelineOf(each, own, types))].join('\n')
}

function pipelineOf(transaction: RecordedTransaction, own: Set<string>, types: ParameterTypes): string[] {
  const statements = transaction.map((each) => `${statementOf(each, own, types.get(each.text) ?? [])};`)
  return ['\\startpipeline', ...statements, '\\endpipeline']
}

/** A replay has no limit, because pgbench ends at the first error. The service repeats its transaction. */
const lockLimit = /(?<name>lock_timeout) = \d+/

function statementOf({ text, parameters }: RecordedStatement, own: Set<string>, types: string[]): string {
  // pgbench takes a colon before a letter as a variable, also in a literal.
  if (/(?<!:):[a-z]/i.test(text)) throw new Error(`pgbench would replace a variable in: ${text}`)
  return text.replace(lockLimit, '$<name> = 0').replaceAll(/\$(\d+)/g, (_, number) => {
    const [value, type = 'text'] = [parameters[number - 1], types[number - 1]]
    return value === null || value === undefined ? `NULL::${type}` : `(${expressionOf(value, own)})::${type}`
  })
}

/** An expression such as `replace(E'01a215e2-1943-7002-8734-<unique>', '<unique>', :unique::text)`. */
function expressionOf(value: string, own: Set<string>): string {
  const marked = value.replaceAll(token, (found) => {
    if (!own.has(found)) return found
    const { kept, hasRandom } = partsOf(found)
    return `${hasRandom ? randomMarker : ''}${kept}${uniqueMarker}`
  })
  return replacing(uniqueMarker, ':unique', replacing(randomMarker, ':random', literal(marked)))
}

const randomMarker = '<random>'
const uniqueMarker = '<unique>'

function replacing(marker: string, variable: string, expression: string): string {
  return expression.includes(marker) ? `replace(${expression}, '${marker}', ${variable}::text)` : expression
}

/** Escapes what pgbench would read: quotes, colons and ends of lines. */
function literal(text: string): string {
  const escaped = text.replaceAll(/[\\':;\r\n]/g, (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return `E'${escaped}'`
}

/** The part of a token that stays. */
function partsOf(found: string): { kept: string; hasRandom: boolean } {
  const hasRandom = found.length >= leastLengthWithRandom && !timeOrderedId.test(found)
  return { kept: found.slice(hasRandom ? randomDigits : 0, -uniqueDigits), hasRandom }
}

function requireDistinct(own: Set<string>): void {
  const kept = new Set([...own].map((each) => partsOf(each).kept))
  if (kept.size !== own.size) throw new Error('two values of the recorded flows are equal in a replay')
}

function tokensOf({ parameters }: RecordedStatement): string[] {
  return parameters.flatMap((each) => each?.match(token) ?? [])
}
