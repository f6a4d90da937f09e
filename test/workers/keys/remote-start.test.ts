import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../../harness/harness.ts'
import { startProcesses } from '../../harness/processes.ts'
import { freePort } from '../../harness/redis.ts'
import { inherited } from '../../harness/started.ts'
import { newFolder, startReferenceSigner } from '../../servers/remote-signer.ts'

test.each([['workers/main.ts', 'signing'], ['api/combined/main.ts'], ['shared/launcher/run.ts']])(
  '%s %s ends with one line for a mistake in the file of remote signers',
  (...words) => {
    const KEY_SIGNERS = join(newFolder(), 'signers.json')
    writeFileSync(KEY_SIGNERS, '{"signers":{"own":{"adapter":"remote-signer","url":"http://signer.internal"}}}')
    const env = { ...inherited(), DATA_DIR: newFolder(), KEY_SIGNERS }
    const { status, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `KEY_SIGNERS (${KEY_SIGNERS}): signers.own.url must use https.\n`,
    })
  },
)

test('a signing process reports for each remote signer whether it answers, and starts without an answer', async () => {
  const { url, tokenFile } = await startReferenceSigner()
  const KEY_SIGNERS = join(newFolder(), 'signers.json')
  const signers = {
    own: { adapter: 'remote-signer', url, tokenFile },
    down: { adapter: 'remote-signer', url: `http://127.0.0.1:${await freePort()}` },
  }
  writeFileSync(KEY_SIGNERS, JSON.stringify({ signers }))
  const port = await freePort()
  await using processes = await startProcesses(
    { KEY_SIGNERS, SIGNING_OPS_PORT: `${port}` },
    { names: ['web', 'signing'] },
  )
  const lines = await eventually(async () => {
    // The port of the metrics is open once the process works.
    const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined)
    const text = (await response?.text()) ?? ''
    const lines = text.split('\n').filter((line) => line.startsWith('trustwright_key_provider_up'))
    return lines.some((line) => line.endsWith(' 0')) && lines
  })
  expect(lines.sort()).toEqual([
    'trustwright_key_provider_up{provider="remote:down"} 0',
    'trustwright_key_provider_up{provider="remote:own"} 1',
  ])
  expect(processes.errorOutput().match(/key provider is not available/g)).toHaveLength(1)
  expect(processes.errorOutput()).toContain('ECONNREFUSED')
})
