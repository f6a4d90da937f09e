import { type Command, type Option, UsageError } from '../command.ts'
import { commonOptions, programOptions } from '../help.ts'

const shells = ['bash', 'zsh']
const programWords = Object.keys(programOptions).map((option) => `--${option}`)

/** Returns the command that prints a script, which completes these commands, their options and the values of options. */
export const completionOf = (others: readonly Command[]): Command => {
  const completion: Command = {
    name: 'completion',
    usage: shells.join('|'),
    summary: 'Print a script for the completion of commands and options',
    options: {},
    examples: ['source <(trustwright completion bash)', 'trustwright completion zsh > ~/.zfunc/_trustwright'],
    async run({ positionals: [shell], terminal }) {
      if (shell !== 'bash' && shell !== 'zsh') throw new UsageError('Give a shell: bash or zsh')
      const commands = [...others, completion]
      terminal.stdout.write(shell === 'bash' ? bashScript(commands) : zshScript(commands))
    },
  }
  return completion
}

/** Removes the words before a command from the typed words. Bash separates `--profile=NAME` at the equals sign. */
const atCommand = `typed=$(sed -E 's/^((help|--json|--profile( = | |=)[^ ]+)( |$))+//' <<< "$typed")`

/** The pattern of words that begin with the words of a command. One group can begin with the letters of another. */
const beginsWith = (words: string) => `"${words}"|"${words} "*`

/** The cases of the typed words: options after a command, else the next word of a command. */
function casesOf(commands: readonly Command[]): string {
  const cases = commands.map(({ name, options }) => {
    const words = [...Object.keys(options), ...Object.keys(commonOptions)].map((option) => `--${option}`)
    return `    ${beginsWith(name)}) choices="${[...words, ...(name === 'completion' ? shells : [])].join(' ')}" ;;`
  })
  const named = commands.map(({ name }) => name.split(' '))
  const first = [...new Set(named.map(([word]) => word))]
  const groups = new Set(named.filter(({ length }) => length > 1).map(([word = '']) => word))
  const second = [...groups].map((group) => {
    const words = named.filter(([word]) => word === group).map(([, word]) => word)
    return `    ${beginsWith(group)}) choices="${words.join(' ')}" ;;`
  })
  return [...cases, ...second, `    *) choices="${[...first, 'help', ...programWords].join(' ')}" ;;`].join('\n')
}

/** The cases of the previous word: an option with a value. A value without choices is completed as a file. */
function valueCasesOf(commands: readonly Command[]): string {
  const cases = commands.flatMap(({ name, options }) =>
    Object.entries({ ...options, ...commonOptions }).flatMap(
      ([option, { type, short, choices = [] }]: [string, Option]) => {
        const forms = [`--${option}`, ...(short === undefined ? [] : [`-${short}`])]
        return type === 'string'
          ? forms.map((form) => `    "${name} ${form}"|"${name} "*" ${form}") choices="${choices.join(' ')}" ;;`)
          : []
      },
    ),
  )
  return ['    "--profile") choices="" ;;', ...cases].join('\n')
}

function bashScript(commands: readonly Command[]): string {
  return `_trustwright() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" choices
  ${atCommand}
  case "$typed" in
${valueCasesOf(commands)}
${casesOf(commands)}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _trustwright trustwright
`
}

function zshScript(commands: readonly Command[]): string {
  return `#compdef trustwright
_trustwright() {
  local typed="\${(j: :)words[2,CURRENT-1]}" choices
  local -a found
  ${atCommand}
  case "$typed" in
${valueCasesOf(commands)}
${casesOf(commands)}
  esac
  found=(\${(s: :)choices})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _trustwright trustwright
`
}
