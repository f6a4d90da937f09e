import { fileURLToPath } from 'node:url'
import { requireNode24 } from '../process/node-version.ts'
import { isBundleCurrent } from './bundle.ts'
import { continueInBundle } from './continue-in-bundle.ts'

const usage = `npm start: runs the whole service on this machine. With QUEUE=redis, it runs a redis-server unless REDIS_URL names one.

  npm start                            SQLite and keys in .data, a demo tenant, http://localhost:3000
  PORT=8080 npm start                  other ports
  DATA_DIR=/srv/trustwright npm start  another folder
  NODE_ENV=production npm start        no demo tenant; PLATFORM_DOMAIN is required
  npm start -- --help                  this text

All settings are environment variables: docs/settings.md lists them. Ctrl-C stops everything within 10 s.`

requireNode24()
const words = process.argv.slice(2)
const asksForHelp = words.length === 1 && ['--help', '-h'].includes(words[0] ?? '')
if (words.length > 0) {
  if (asksForHelp) console.log(usage)
  else console.error(`npm start has no argument ${words.join(' ')}.\n\n${usage}`)
  process.exit(asksForHelp ? 0 : 2)
}

console.log('Trustwright is starting. This takes some seconds.')
if (isBundleCurrent(fileURLToPath(new URL('../..', import.meta.url)))) continueInBundle()
await import('./run.ts')
