import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { joinWithCommandLine } from '../harness/command-line.ts'
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
