import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runProviderFor, settingsFor, signedIn } from '../api/console/provider-people.ts'
import { joinWithCommandLine } from '../harness/command-line.ts'
import { joinService } from '../harness/harness.ts'
import { newTerminal } from '../harness/terminal.ts'
import { newWaitingApproval } from '../harness/waiting-approval.ts'

test('a command whose request waits says so, and requests are listed, approved and rejected', async () => {
  const { service, line, end } = await joinWithCommandLine()
  const others = [await newWaitingApproval(service, service.id), await newWaitingApproval(service, service.id)]
  await service.operator.put('/v1/settings', { approvals: { statusChanges: 0 } })

  const revoked = await line.run(['credentials', 'revoke', randomUUID()])
  expect(revoked).toMatchObject({ code: 0, stdout: 'Revoked 0 credentials, 0 failed, 1 waits for an approval\n' })
  const [, own] = /^The request waits for the approval ([\w-]+)\. /m.exec(revoked.stderr) ?? []
  expect(own).toBeDefined()
  const list = await line.run(['approvals', 'list', '--state', 'waiting', '--json'])
  const ids = list.stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text).id)
  expect(ids.sort()).toEqual([...others, own].sort())

  expect(await line.run(['approvals', 'approve', `${own}`])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Another person must approve it'),
  })
  expect((await line.run(['approvals', 'approve', `${others[0]}`])).stdout).toContain('executed')
  expect((await line.run(['approvals', 'reject', `${others[1]}`])).stdout).toContain('rejected')
  expect((await line.run(['approvals', 'approve'])).code).toBe(1)
  await end()
})

test('a line names the person or the client that sent the request, and has an id if the roles may not read the name', async () => {
  await using service = await joinService()
  await using provider = await runProviderFor(service.baseUrl)
  const { baseUrl, id: tenantId, operator, clientId, clientSecret } = service
  await operator.put('/v1/sign-in-provider', settingsFor(provider))
  await signedIn(service, 'tess')
  const ofPerson = await newWaitingApproval(service, tenantId, 'tess')
  await operator.put('/v1/settings', { approvals: { statusChanges: 0 } })
  const body = { credentials: [randomUUID()], isRevoked: true }
  const ofClient = (await operator.post('/v2/credentials/revocation-status', body)).body.approval.id
  const own = `/v1/tenants/${tenantId}/clients`
  const { name } = (await operator.get(`${own}/${clientId}`)).body
  const approver = (await operator.post(own, { name: 'Approver', roles: ['approver'] })).body
  const line = newTerminal({ default: { baseUrl, clientId, clientSecret }, approver: { baseUrl, ...approver } })
  const sendersIn = async (...args: string[]) => {
    const { stdout } = await line.run(['approvals', ...args])
    return Object.fromEntries(stdout.split('\n').map((each) => [each.split('  ')[0], each.split('  ')[4]]))
  }
  expect(await sendersIn('list')).toMatchObject({ [ofPerson]: 'Tess', [ofClient]: name })
  const ids = { [ofPerson]: 'tess', [ofClient]: `Client ${clientId}` }
  expect(await sendersIn('list', '--profile', 'approver')).toMatchObject(ids)
  expect(await sendersIn('reject', ofPerson)).toMatchObject({ [ofPerson]: 'Tess' })
  line.end()
})
