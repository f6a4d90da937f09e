import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const script = `
  import fs from 'node:fs'
  import { setTimeout as sleep } from 'node:timers/promises'
  let failures = 0
  const { write, writeSync } = fs
  fs.write = (...args) => {
    const done = args.pop()
    write(...args, (error, ...results) => {
      if (error) failures++
      done(error, ...results)
    })
  }
  fs.writeSync = (...args) => {
    try {
      return writeSync(...args)
    } catch (error) {
      failures++
      throw error
    }
  }
  const { createLog } = await import(process.argv[1])
  const log = createLog({ process: 'web', level: 'info', pretty: false })
  for (let line = 1; line <= 5; line++) {
    log.info('a line')
    while (failures < line) await sleep(10)
  }
  console.error('still running')
  process.exit(0)
`

test('a process continues and can exit while the disk of its log is full', async () => {
  const full = openSync('/dev/full', 'w')
  const args = ['--input-type=module', '--eval', script, import.meta.resolve('../../shared/log/log.ts')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', full, 'pipe'] })
  closeSync(full)
  onTestFinished(() => void child.kill('SIGKILL'))
  const [[code], output] = await Promise.all([once(child, 'exit'), text(child.stderr!)])
  expect({ code, output }).toEqual({ code: 0, output: 'still running\n' })
})
