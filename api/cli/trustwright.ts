#!/usr/bin/env node
import { resolveLocalhostNames } from './trustwright/localhost-names.ts'
import { run } from './trustwright/run.ts'

/** The command line `trustwright`. */
const { env, stdin, stdout, stderr } = process
// The reader of a pipe can end first, such as `head`.
for (const stream of [stdout, stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(1)
  })
resolveLocalhostNames()
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr })
