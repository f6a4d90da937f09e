import './programs.ts'

import { inject } from 'vitest'

/** Returns the environment of every process that a test starts. */
export function inherited(): { PATH: string; NODE_COMPILE_CACHE: string } {
  return { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: inject('compileCache') }
}
