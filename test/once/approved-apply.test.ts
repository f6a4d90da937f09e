import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decideApproval } from '../../db/repos/operations/approvals.ts'
import { hourMs, plusMs } from '../../shared/clock.ts'
import { joinWithCommandLine } from '../harness/command-line.ts'
import { eventually } from '../harness/harness.ts'

test('an apply that waits for an approval says how to continue, also after it was interrupted, or waits', async () => {
  const { service, line, end } = await joinWithCommandLine()
  const { db, clock } = service.deps
  const folder = join(line.dir, 'files')
  const file = (name: string) => join(folder, 'webhooks', `${name}.jsonc`)
  const contentOf = (name: string) => ({ url: `https://example.org/${name}`, events: ['UserErased'] })
  mkdirSync(join(folder, 'webhooks'), { recursive: true })
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(file(name), JSON.stringify(contentOf(name)))
  const config = (verb: string, ...more: string[]) => line.run(['config', verb, '--folder', folder, '--prune', ...more])
  const approve = (id: string) => {
    const at = clock.now()
    const by = { decidedByClientId: null, decidedByManagementUserId: 'ada', expiresAt: plusMs(at, hourMs) }
    return db.tx((tx) => decideApproval(tx, service.id, { id, state: 'approved', ...by }, at))
  }
  expect(await config('apply', '--yes')).toMatchObject({ code: 0, stdout: 'Made 4 changes\n' })
  await service.operator.put('/v1/settings', { approvals: { configurationDeletions: 0 } })
  rmSync(file('a'))
  rmSync(file('b'))
  const stored = join(line.dir, 'plan.json')
  writeFileSync(stored, (await config('plan', '--json')).stdout)

  const asked = await config('apply', '--plan', stored, '--yes')
  expect(asked).toMatchObject({ code: 1, stdout: '' })
  const [, id = ''] = /run the same command with --approval (\S+)/.exec(asked.stderr) ?? []
  expect(asked.stderr).toContain(`waits for the approval ${id}. `)
  const resume = () => config('apply', '--plan', stored, '--yes', '--approval', id)
  const waits = 'is waiting. To wait for it, add --wait'
  expect(await resume()).toMatchObject({ code: 1, stderr: expect.stringContaining(waits) })

  await approve(id)
  // The command that made this change was interrupted.
  const { basedOn, digest } = JSON.parse(readFileSync(stored, 'utf8'))
  const objects = { 'webhooks/c': contentOf('c'), 'webhooks/d': contentOf('d') }
  const body = { format: 1, objects, prune: true, basedOn, digest, maxChanges: 1 }
  expect((await service.operator.post('/v1/configuration/apply', body)).body).toMatchObject({ remaining: 1 })
  expect(await resume()).toMatchObject({ code: 0, stdout: 'Made 1 change\n' })
  expect(await resume()).toMatchObject({ code: 1, stderr: expect.stringContaining('is executed') })

  rmSync(file('c'))
  const waiting = config('apply', '--yes', '--wait')
  const next = async () => (await service.operator.get('/v1/approvals?state=waiting')).body.data[0]?.id
  const nextId = await eventually(next)
  await approve(nextId)
  expect(await waiting).toMatchObject({ code: 0, stdout: 'Made 1 change\n' })

  writeFileSync(file('c'), JSON.stringify(contentOf('c')))
  expect(await config('apply', '--yes')).toMatchObject({ code: 0 })
  rmSync(file('c'))
  await config('apply', '--yes')
  const lastId = await eventually(next)
  await approve(lastId)
  const { data } = (await service.operator.get('/v1/webhooks')).body
  await service.operator.delete(`/v1/webhooks/${data.find(({ url }: { url: string }) => url.endsWith('/c')).id}`)
  const last = await config('apply', '--yes', '--approval', lastId)
  expect(last).toMatchObject({ code: 0, stdout: 'There was nothing to change\n' })
  expect((await service.operator.get(`/v1/approvals/${lastId}`)).body.state).toBe('executed')
  await end()
})
