import './programs.ts'

import { inject } from 'vitest'

/** What every process that a test starts is given. */
export function inherited(): { PATH: string; NODE_COMPILE_CACHE: string } {
  return { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: inject('compileCache') }
}
