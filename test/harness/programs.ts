/**
 * The programs that tests start as processes. `npm test -- --changed` follows these imports to the tests of a change. They are not called,
 * because each program runs when it is imported.
 */
export const programs = [
  () => import('../../api/main.ts'),
  () => import('../../workers/main.ts'),
  () => import('../../shared/launcher/start.ts'),
  () => import('../../api/cli/trustwright.ts'),
]
