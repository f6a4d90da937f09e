import { expect, test } from 'vitest'
import { joinWithCommandLine } from '../harness/command-line.ts'
import { newConsoleSession } from '../harness/console-session.ts'

test('sessions are listed, and ended one by one or all of a client with its tokens', async () => {
  const { service, line, end } = await joinWithCommandLine()
  const client = (await service.operator.post(`/v1/tenants/${service.id}/clients`, { name: 'Desk', roles: ['issuer'] }))
    .body
  const signIn = () =>
    service.anonymous.post(
      '/console/session',
      { clientId: client.clientId, clientSecret: client.clientSecret },
      { 'x-console': '1' },
    )
  for (let count = 0; count < 2; count++) expect((await signIn()).status).toBe(201)
  const of = ['--client', client.clientId]
  const list = await line.run(['sessions', 'list', ...of, '--json'])
  const ids = list.stdout.trim().split('\n')
  expect(ids).toHaveLength(2)
  expect((await line.run(['sessions', 'list'])).stdout).toContain(`browser  Desk (${client.clientId})`)

  expect(await line.run(['sessions', 'end', JSON.parse(ids[0]!).id])).toMatchObject({
    code: 0,
    stdout: 'Ended 1 session\n',
  })
  expect((await line.run(['sessions', 'end', ...of])).stdout).toBe('Ended 1 session\n')
  expect((await line.run(['sessions', 'end', ...of])).stdout).toBe('Ended 0 sessions\n')
  expect((await line.run(['sessions', 'end', '--person', 'ada', '--json'])).stdout).toBe('{"ended":0}\n')
  // Providers of sign-ins and admins choose the names.
  const named = { name: 'Desk\u001b[2J', roles: ['issuer'] }
  const { clientId, clientSecret } = (await service.operator.post(`/v1/tenants/${service.id}/clients`, named)).body
  await service.anonymous.post('/console/session', { clientId, clientSecret }, { 'x-console': '1' })
  expect((await line.run(['sessions', 'list', '--client', clientId])).stdout).toContain(`Desk?[2J (${clientId})`)
  const another = await newConsoleSession(service, (await service.addTenant()).id)
  expect(await line.run(['sessions', 'end', another])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('NotFound'),
  })
  for (const args of [[], [another, ...of]])
    expect(await line.run(['sessions', 'end', ...args])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Give the id of one session, --person or --client.'),
    })
  await end()
})
