import { expect, test } from 'vitest'
import { readParameters, readTransactions } from './recorded.ts'
import { replayScript } from './replay-script.ts'

const line = (pid: number, message: string, detail?: string, application = '') =>
  JSON.stringify({ pid, application_name: application, error_severity: 'LOG', message, ...(detail && { detail }) })

test('a log is read as transactions in the order of their ends', () => {
  const log = [
    line(1, 'execute BEGIN: BEGIN READ WRITE'),
    line(2, 'statement: SET jit = off'),
    line(1, 'execute insert: insert into offers values ($1)', "parameters: $1 = 'one'"),
    line(2, 'execute find: select 1'),
    line(3, 'execute BEGIN: BEGIN READ WRITE'),
    line(3, 'statement: ROLLBACK'),
    line(4, 'statement: select 2', undefined, 'bench'),
    line(4, 'checkpoint starting: time'),
    line(1, 'execute COMMIT: COMMIT'),
    line(5, 'execute BEGIN: BEGIN READ WRITE'),
  ].join('\n')
  const texts = readTransactions(log, 'bench').map((each) => each.map(({ text }) => text))
  expect(texts).toEqual([['select 1'], ['BEGIN READ WRITE', 'insert into offers values ($1)', 'COMMIT']])
})

test('parameters may have quotes, commas and dollar signs', () => {
  expect(readParameters(`parameters: $1 = 'it''s', $2 = NULL, $3 = 'a, $4 = ''b''', $4 = ''`)).toEqual([
    "it's",
    null,
    "a, $4 = 'b'",
    '',
  ])
})

const offerId = '01a215e2-1943-7001-ac5a-63d485ac96e8'
const tenantId = '01a215e1-e237-7000-9af5-d7bdeec51a12'
const hash = '_7YiZVEmvYedfqQYSEtvTP1q_lfnKIQt38APxcmN5h8'
const insert = 'insert into offers values ($1, $2, $3, $4, $5)'
const types = new Map([[insert, ['uuid', 'uuid', 'text', 'jsonb', 'bytea']]])
const script = (...parameters: (string | null)[]) => {
  const known = [[{ text: 'select $1', parameters: [tenantId] }]]
  return replayScript([[{ text: insert, parameters }]], known, types)
}

test('values that only the recorded flows have are different in each replay', () => {
  const bytes = `\\x${'ab'.repeat(16)}`
  expect(script(offerId, tenantId, hash, `{"offer":"${offerId}"}`, bytes).split('\n').slice(-3)).toEqual([
    '\\startpipeline',
    `insert into offers values (${[
      "(replace(E'01a215e2-1943-7001-ac5a-<unique>', '<unique>', :unique::text))::uuid",
      `(E'${tenantId}')::uuid`,
      "(replace(replace(E'<random>vYedfqQYSEtvTP1q_lfnKIQ<unique>', '<random>', :random::text), '<unique>', :unique::text))::text",
      `(replace(E'{"offer"\\x3a"01a215e2-1943-7001-ac5a-<unique>"}', '<unique>', :unique::text))::jsonb`,
      "(replace(replace(E'\\x5cx<random>abababababab<unique>', '<random>', :random::text), '<unique>', :unique::text))::bytea",
    ].join(', ')});`,
    '\\endpipeline',
  ])
})

test('two short values, such as those of short links, stay different in a replay', () => {
  expect(script(null, null, 'hxj5WJNegTURhOqNHRBg', 'Ee9OXgdD7oGZZGGA2CO1', null)).toContain(
    `(replace(E'hxj5WJNe<unique>', '<unique>', :unique::text))::text, (replace(E'Ee9OXgdD<unique>', '<unique>', :unique::text))::jsonb`,
  )
})

test('constants have no character that pgbench reads', () => {
  expect(script(null, tenantId, "it's 10:30\n", null, null)).toContain(
    `insert into offers values (NULL::uuid, (E'${tenantId}')::uuid, (E'it\\x27s 10\\x3a30\\x0a')::text, NULL::jsonb, NULL::bytea);`,
  )
})

test('a recording is refused if two of its values would be equal in a replay', () => {
  const sibling = `${offerId.slice(0, -1)}9`
  expect(() => script(offerId, sibling, null, null, null)).toThrow('two values of the recorded flows are equal')
})

test('a statement is refused if pgbench would replace a variable in it', () => {
  expect(() => replayScript([[{ text: "select 'a:b'", parameters: [] }]], [], new Map())).toThrow('pgbench')
})

test('a replay has no limit of lock waits', () => {
  const text = 'SET LOCAL lock_timeout = 500'
  expect(replayScript([[{ text, parameters: [] }]], [], new Map()).split('\n')).toContain('SET LOCAL lock_timeout = 0;')
})
