import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * `node .ci/check-commits.mjs`: checks the messages of the commits since the last tag, or since this file was added. A subject begins with a
 * capital letter, has at most 72 characters and no full stop. An empty line separates it from the body.
 */
const maxSubjectLength = 72

if (!existsSync('.git')) {
  console.log('This is not a git repository: no commits to check.')
  process.exit(0)
}
const [tag] = linesOf('describe', '--tags', '--abbrev=0')
const [added] = linesOf('log', '--diff-filter=A', '--format=%H', '--', '.ci/check-commits.mjs')
const since = tag ?? added
const commits = since ? linesOf('rev-list', '--no-merges', `${since}..HEAD`) : []

const faults = commits.flatMap((commit) =>
  faultsOf(linesOf('show', '--no-patch', '--format=%B', commit)).map((fault) => `${commit.slice(0, 8)}: ${fault}`),
)
console.log(`Checked the messages of ${commits.length} commits since ${since?.slice(0, 8)}.`)
for (const fault of faults) console.log(fault)
process.exitCode = faults.length > 0 ? 1 : 0

function faultsOf([subject = '', separator]) {
  return [
    subject.length > maxSubjectLength &&
      `the subject has ${subject.length} characters, at most ${maxSubjectLength} are allowed: ${subject}`,
    !/^[A-Z]/.test(subject) && `the subject does not begin with a capital letter: ${subject}`,
    subject.endsWith('.') && `the subject ends with a full stop: ${subject}`,
    separator !== undefined && separator !== '' && 'no empty line separates the subject from the body',
  ].filter(Boolean)
}

/** The lines that a git command prints. Empty if the command fails. */
function linesOf(...words) {
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8' })
  return status === 0
    ? stdout
        .trimEnd()
        .split('\n')
        .filter((line, index) => index > 0 || line !== '')
    : []
}
