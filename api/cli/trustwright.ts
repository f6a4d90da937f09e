#!/usr/bin/env node
import { run } from './trustwright/run.ts'

/** The command line `trustwright`. */
const { env, stdin, stdout, stderr } = process
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr })
